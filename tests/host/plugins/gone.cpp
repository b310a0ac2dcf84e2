extern "C" int gst_test_gone() {
    return 7;
}
