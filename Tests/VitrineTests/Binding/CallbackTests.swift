import Dispatch
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct CallbackTests {
    private let bench: Workbench
    private let png: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    @Test(
        "L12: the completion is called once, on the main actor, whatever the end",
        arguments: [true, false])
    @MainActor func onMain(succeeds: Bool) async throws {
        bench.origin.route("/a", succeeds ? .bytes(png) : .status(500))
        var count = 0
        let loader = bench.loader()
        let result = await withCheckedContinuation { continuation in
            loader.load(bench.request("/a")) { result in
                MainActor.assertIsolated()
                count += 1
                continuation.resume(returning: result)
            }
            #expect(count == 0, "what takes time comes after the call")
        }
        #expect(succeeds == ((try? result.get()) != nil))
        await loader.waitUntilIdle()
        for _ in 0..<20 { await Task.yield() }
        #expect(count == 1)
    }

    @Test("L12, promise 10: a memory hit is handed over in the same call") @MainActor
    func memoryHit() async throws {
        bench.origin.route("/a", .bytes(png, headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        var source: ImageResponse.Source?
        let task = loader.load(bench.request("/a")) { source = try? $0.get().source }
        #expect(source == .memory && task.isFinished)
        // So is what is known to be wrong.
        var error: ImageError?
        loader.load(bench.request("/a") { $0.scale = 0 }) { result in
            if case .failure(let failure) = result { error = failure }
        }
        #expect(error?.reason == .invalidScale(0))
    }

    @Test("L12: a memory hit comes on the main actor too if it is asked for elsewhere")
    func memoryHitElsewhere() async throws {
        bench.origin.route("/a", .bytes(png, headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        let request = bench.request("/a")
        _ = try await loader.image(for: request)
        let source = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                loader.load(request) { result in
                    MainActor.assertIsolated()
                    continuation.resume(returning: try? result.get().source)
                }
            }
        }
        #expect(source == .memory)
    }

    @Test(
        "L4, L12: progress comes in order and before the end, on a queue of one's own",
        arguments: [true, false])
    func onQueue(isSerial: Bool) async throws {
        let cut = png.count / 3
        bench.origin.route(
            "/a",
            .chunked(
                [Array(png[..<cut]), Array(png[cut..<2 * cut]), Array(png[(2 * cut)...])],
                interval: .milliseconds(30)))
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test", attributes: isSerial ? [] : .concurrent)
        queue.setSpecific(key: key, value: true)
        let heard = Lock<[Int]>([])
        let loader = bench.loader()
        await withCheckedContinuation { continuation in
            loader.load(
                bench.request("/a"), deliveringOn: .queue(queue),
                progress: { progress in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    heard.withLock { $0.append(progress.received) }
                },
                completion: { result in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    #expect((try? result.get()) != nil)
                    heard.withLock { $0.append(.max) }
                    continuation.resume()
                })
        }
        let order = heard.withLock { $0 }
        #expect(order.count > 1 && order == order.sorted() && Set(order).count == order.count)
    }

    @Test("L12, promise 8: dropping the task cancels nothing; cancelling it is heard, once")
    func cancelling() async throws {
        bench.origin.route("/a", .delayed(.milliseconds(50), then: .bytes(png)))
        bench.origin.route("/never", .never)
        let loader = bench.loader()
        let ends = Lock<[Bool]>([])
        let note: ImageLoader.Completion = { result in
            let isCancelled =
                if case .failure(let error) = result { error.isCancelled } else { false }
            ends.withLock { $0.append(isCancelled) }
        }
        loader.load(bench.request("/a"), deliveringOn: .immediate, completion: note)
        try await eventually("it came") { ends.withLock { $0 } == [false] }
        let task = loader.load(
            bench.request("/never"), deliveringOn: .immediate, completion: note)
        task.cancel()
        #expect(ends.withLock { $0 } == [false, true], "on the thread that cancels")
        task.cancel()
        await loader.waitUntilIdle()
        #expect(ends.withLock { $0.count } == 2)
    }

    @Test("L12: a place of one's own gets the work one at a time") func ownPlace() async throws {
        bench.origin.route("/a", .bytes(png))
        let jobs = Lock<[@Sendable () -> Void]>([])
        let place = Delivery { work in jobs.withLock { $0.append(work) } }
        let isDone = Lock(false)
        let loader = bench.loader()
        loader.load(bench.request("/a"), deliveringOn: place) { _ in isDone.withLock { $0 = true } }
        await loader.waitUntilIdle()
        // As a loop would, at last.
        for _ in 0..<10 {
            let ready = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            #expect(ready.count <= 1)
            for job in ready { job() }
        }
        #expect(isDone.withLock { $0 })
        #expect(jobs.withLock { $0.isEmpty })
    }
}
