#include <avif/avif.h>
#include <dlfcn.h>

// libavif brings nine codecs with it. As libvips it is loaded when it is first needed:
// `cavifDecoderCreate()()` is `avifDecoderCreate()`.

#if AVIF_VERSION_MAJOR > 0
#define CAVIF_LIBRARY "libavif.so.16"
#else
#define CAVIF_LIBRARY "libavif.so.15"
#endif

/// Loads libavif, if that has not happened yet; NULL if it cannot be loaded. It is never unloaded.
static inline void *_Nullable cavif_load(void) { return dlopen(CAVIF_LIBRARY, RTLD_LAZY); }

/// The function of libavif of this name; only where libavif is loaded.
#define CAVIF(name)                                                                               \
    static inline __typeof__(avif##name) *_Nonnull cavif##name(void) {                            \
        static __typeof__(avif##name) *found;                                                     \
        __typeof__(avif##name) *function = __atomic_load_n(&found, __ATOMIC_RELAXED);             \
        if (!function) {                                                                          \
            function = (__typeof__(avif##name) *)dlsym(cavif_load(), "avif" #name);               \
            __atomic_store_n(&found, function, __ATOMIC_RELAXED);                                 \
        }                                                                                         \
        return function;                                                                          \
    }

CAVIF(CropRectConvertCleanApertureBox)
CAVIF(DecoderCreate)
CAVIF(DecoderDestroy)
CAVIF(DecoderIsKeyframe)
CAVIF(DecoderNextImage)
CAVIF(DecoderNthImage)
CAVIF(DecoderNthImageTiming)
CAVIF(DecoderParse)
CAVIF(DecoderSetIOMemory)
CAVIF(ImageCreateEmpty)
CAVIF(ImageDestroy)
CAVIF(ImageSetViewRect)
CAVIF(ImageYUVToRGB)
CAVIF(RGBImageSetDefaults)
CAVIF(ResultToString)
