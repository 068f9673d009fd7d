// Decodes a WebP or AVIF to RGBA as often as told, by the format's own library, on one thread as far as
// libwebp goes and on as many as there are cores for libavif. Arguments: file, count.

#include <avif/avif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webp/decode.h>

static int decode_webp(const uint8_t *bytes, size_t count) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return 1;
    if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return 1;
    config.output.colorspace = MODE_RGBA;
    int failed = WebPDecode(bytes, count, &config) != VP8_STATUS_OK;
    WebPFreeDecBuffer(&config.output);
    return failed;
}

static int decode_avif(const uint8_t *bytes, size_t count) {
    avifDecoder *decoder = avifDecoderCreate();
    decoder->maxThreads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int failed = avifDecoderSetIOMemory(decoder, bytes, count) != AVIF_RESULT_OK
        || avifDecoderParse(decoder) != AVIF_RESULT_OK
        || avifDecoderNextImage(decoder) != AVIF_RESULT_OK;
    if (!failed) {
        avifRGBImage rgb;
        avifRGBImageSetDefaults(&rgb, decoder->image);
        rgb.depth = 8;
        rgb.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_BEST_QUALITY;
        avifRGBImageAllocatePixels(&rgb);
        failed = avifImageYUVToRGB(decoder->image, &rgb) != AVIF_RESULT_OK;
        avifRGBImageFreePixels(&rgb);
    }
    avifDecoderDestroy(decoder);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    FILE *file = fopen(argv[1], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return 1;
    long count = ftell(file);
    rewind(file);
    uint8_t *bytes = count > 0 ? malloc((size_t)count) : NULL;
    if (!bytes || fread(bytes, 1, (size_t)count, file) != (size_t)count) return 1;
    fclose(file);
    int is_webp = count > 12 && memcmp(bytes + 8, "WEBP", 4) == 0;
    for (int left = atoi(argv[2]); left > 0; left--) {
        if (is_webp ? decode_webp(bytes, (size_t)count) : decode_avif(bytes, (size_t)count)) {
            return 1;
        }
    }
    return 0;
}
