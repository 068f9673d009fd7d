/* GTK 4, typed wrappers for its variadic calls, which Swift cannot make, and libdispatch's main queue. */
#ifndef CGTK_H
#define CGTK_H

#include <gtk/gtk.h>

#include <gsk/gl/gskglrenderer.h>

#include <glib-unix.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !GTK_CHECK_VERSION(4, 8, 0)
#error "VitrineGTK needs GTK 4.8 or newer."
#endif

/* Exported by libdispatch for whoever runs the main thread's loop, as CoreFoundation does: the file
 * descriptor that tells of work on the main queue, and the call that does this work. */
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

/* A source of GLib's that calls its callback whenever its ready time has come. */
static inline gboolean cgtk_source_dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    (void)source;
    return callback ? callback(data) : G_SOURCE_REMOVE;
}
static inline GSource *_Nonnull cgtk_source_new(void) {
    static GSourceFuncs functions = {NULL, NULL, cgtk_source_dispatch, NULL, NULL, NULL};
    return g_source_new(&functions, sizeof(GSource));
}

/* An empty value: the initializer that Swift gives the struct belongs to whichever module has read
 * GLib's headers first. */
static inline GValue cgtk_value(void) { return (GValue)G_VALUE_INIT; }

/* A new object of the class; never null: GLib ends the process where memory is out. */
static inline GObject *_Nonnull cgtk_new(GType type) {
    return (GObject *)g_object_new_with_properties(type, 0, NULL, NULL);
}

/* Likewise a new `GtkPicture` of a paintable. */
static inline GtkWidget *_Nonnull cgtk_picture_new(GdkPaintable *_Nonnull paintable) {
    return gtk_picture_new_for_paintable(paintable);
}

/* Whether the caller is on the thread with which the process began. */
static inline gboolean cgtk_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* Says a sentence on standard error, as GLib's own warnings are said. */
static inline void cgtk_warn(const char *sentence) {
    g_log("Vitrine", G_LOG_LEVEL_WARNING, "%s", sentence);
}

/* Null if the accessible has the label, otherwise what it has; to be freed. For tests. */
static inline char *cgtk_check_label(GtkAccessible *accessible, const char *label) {
    return gtk_test_accessible_check_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
}

/* Likewise for the description. */
static inline char *cgtk_check_description(GtkAccessible *accessible, const char *description) {
    return gtk_test_accessible_check_property(
        accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
}

/* Likewise for whether it is busy. */
static inline char *cgtk_check_busy(GtkAccessible *accessible, gboolean busy) {
    return gtk_test_accessible_check_state(accessible, GTK_ACCESSIBLE_STATE_BUSY, busy);
}

#endif
