#include <dlfcn.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

// As libvips, both libraries are loaded when they are first needed: `cwebpIDecode()(...)` is
// `WebPIDecode(...)`.

/// Loads libwebp, if that has not happened yet; NULL if it cannot be loaded. It is never unloaded.
static inline void *_Nullable cwebp_load(void) { return dlopen("libwebp.so.7", RTLD_LAZY); }

/// The same of libwebpmux, which writes animations.
static inline void *_Nullable cwebp_load_mux(void) {
    return dlopen("libwebpmux.so.3", RTLD_LAZY);
}

/// The function of this name; only where its library is loaded.
#define CWEBP_FROM(library, name)                                                                 \
    static inline __typeof__(WebP##name) *_Nonnull cwebp##name(void) {                            \
        static __typeof__(WebP##name) *found;                                                     \
        __typeof__(WebP##name) *function = __atomic_load_n(&found, __ATOMIC_RELAXED);             \
        if (!function) {                                                                          \
            function = (__typeof__(WebP##name) *)dlsym(library(), "WebP" #name);                  \
            __atomic_store_n(&found, function, __ATOMIC_RELAXED);                                 \
        }                                                                                         \
        return function;                                                                          \
    }
#define CWEBP(name) CWEBP_FROM(cwebp_load, name)
#define CWEBP_MUX(name) CWEBP_FROM(cwebp_load_mux, name)

CWEBP(ConfigInitInternal)
CWEBP(Free)
CWEBP(FreeDecBuffer)
CWEBP(GetFeaturesInternal)
CWEBP(IDecGetRGB)
CWEBP(IDecode)
CWEBP(IDelete)
CWEBP(IUpdate)
CWEBP(InitDecoderConfigInternal)
CWEBP(PictureFree)
CWEBP(PictureImportRGBA)
CWEBP(PictureInitInternal)

CWEBP_MUX(AnimEncoderAdd)
CWEBP_MUX(AnimEncoderAssemble)
CWEBP_MUX(AnimEncoderDelete)
CWEBP_MUX(AnimEncoderGetError)
CWEBP_MUX(AnimEncoderNewInternal)
CWEBP_MUX(AnimEncoderOptionsInitInternal)

// What the headers have for these asks the linked library, with the version of the header in hand.

static inline int cwebp_init_decoder(WebPDecoderConfig *_Nonnull config) {
    return cwebpInitDecoderConfigInternal()(config, WEBP_DECODER_ABI_VERSION);
}

static inline VP8StatusCode cwebp_features(
    const uint8_t *_Nullable bytes, size_t count, WebPBitstreamFeatures *_Nonnull features) {
    return cwebpGetFeaturesInternal()(bytes, count, features, WEBP_DECODER_ABI_VERSION);
}

static inline int cwebp_init_encoder(WebPConfig *_Nonnull config) {
    return cwebpConfigInitInternal()(config, WEBP_PRESET_DEFAULT, 75, WEBP_ENCODER_ABI_VERSION);
}

static inline int cwebp_init_picture(WebPPicture *_Nonnull picture) {
    return cwebpPictureInitInternal()(picture, WEBP_ENCODER_ABI_VERSION);
}

static inline int cwebp_init_animation(WebPAnimEncoderOptions *_Nonnull options) {
    return cwebpAnimEncoderOptionsInitInternal()(options, WEBP_MUX_ABI_VERSION);
}

static inline WebPAnimEncoder *_Nullable cwebp_new_animation(
    int width, int height, const WebPAnimEncoderOptions *_Nonnull options) {
    return cwebpAnimEncoderNewInternal()(width, height, options, WEBP_MUX_ABI_VERSION);
}
