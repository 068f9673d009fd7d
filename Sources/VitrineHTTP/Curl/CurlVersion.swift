import CCurl

/// The libcurl that is loaded and what it was built with, such as `7.88.1 OpenSSL/3.0.15 …`.
package func libcurlVersion() -> String {
    let text = String(cString: curl_version())
    return text.hasPrefix("libcurl/") ? String(text.dropFirst(8)) : text
}
