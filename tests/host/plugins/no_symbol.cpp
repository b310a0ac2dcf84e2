/// A shared library that is no plugin.
extern "C" int some_other_function() {
    return 1;
}
