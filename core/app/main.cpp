#include "core/app/command_line.hpp"

int main(int argc, char** argv) {
    return gst::run_command_line(argc, argv);
}
