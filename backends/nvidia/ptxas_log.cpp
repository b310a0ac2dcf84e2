#include "backends/nvidia/ptxas_log.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace gst {

namespace {

/// "ptxas info    : Used 10 registers, 1024 bytes smem, 380 bytes cmem[0]"
/// "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads"
bool is_metric(const std::string& line) {
    return line.rfind("ptxas info", 0) == 0 || line.find("bytes stack frame") != std::string::npos;
}

double sum_of(const std::string& line, const std::regex& pattern) {
    double sum = 0;
    for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at) {
        sum += std::stod((*at)[1]);
    }
    return sum;
}

} // namespace

std::map<std::string, double> metrics_of_log(const std::string& log) {
    static const std::pair<const char*, std::regex> all[] = {
        {"registers", std::regex("Used (\\d+) registers")},        {"spill_bytes", std::regex("(\\d+) bytes spill")},
        {"private_bytes", std::regex("(\\d+) bytes stack frame")}, {"local_bytes", std::regex("(\\d+) bytes smem")},
        {"constant_bytes", std::regex("(\\d+) bytes cmem")},
    };
    std::map<std::string, double> metrics;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        const bool kernel =
            line.find("registers") != std::string::npos || line.find("stack frame") != std::string::npos;
        for (const auto& [name, pattern] : all) {
            if (kernel && is_metric(line)) {
                metrics[name] = std::max(metrics[name], sum_of(line, pattern));
            }
        }
    }
    return metrics;
}

std::string warnings_of_log(const std::string& log) {
    std::string rest;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        rest += is_metric(line) ? "" : line + "\n";
    }
    const auto first = rest.find_first_not_of(std::string(" \n\0", 3));
    const auto last = rest.find_last_not_of(std::string(" \n\0", 3));
    return first == std::string::npos ? "" : rest.substr(first, last - first + 1);
}

} // namespace gst
