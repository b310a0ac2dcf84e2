#include "core/app/commands.hpp"
#include "core/base/error.hpp"
#include "core/host/library.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>

namespace gst::commands {

namespace {

namespace fs = std::filesystem;

/// Of C++20: no class can be called so (ISO/IEC 14882:2020, [lex.key], [lex.digraph]).
constexpr std::array<std::string_view, 92> keywords{
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

struct arguments {
    std::string kind;
    std::string name;
    std::string example() const { return "my_" + kind; } ///< what the plugin is called in the folder that is copied
};

void check_name(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    if (name.empty() || !letter(name.front()) || !std::all_of(name.begin(), name.end(), allowed)) {
        throw user_error(fmt::format("'{}' cannot be the name of a plugin", name),
                         "a letter, then letters, digits and underscores, all small: tabu_search");
    }
    if (std::find(keywords.begin(), keywords.end(), name) != keywords.end() || name.find("__") != std::string::npos) {
        throw user_error(fmt::format("'{}' cannot be the name of a plugin: C++ keeps it for itself", name),
                         "choose another name, such as tabu_search: it becomes that of a class");
    }
}

/// Beside a plugin that comes with gst, another one of its name could not be told apart.
void check_not_taken(const arguments& a) {
    if (fs::exists(core_directory() / "gst" / fmt::format("{}_{}.so", a.kind, a.name))) {
        throw user_error(fmt::format("'{}' is a plugin that comes with gst", a.name),
                         fmt::format("choose another name: my_{}", a.name));
    }
}

std::string renamed(std::string text, const arguments& a) {
    const std::string example = a.example();
    for (std::size_t at = 0; (at = text.find(example, at)) != std::string::npos; at += a.name.size()) {
        text.replace(at, example.size(), a.name);
    }
    return text;
}

void run(const arguments& a) {
    check_name(a.name);
    check_not_taken(a);
    const fs::path from = core_directory() / "../share/gst/new" / a.kind;
    if (!fs::is_directory(from)) {
        throw machine_error(fmt::format("'{}' is not there: gst is not installed as a whole", from.string()));
    }
    const fs::path to = a.name;
    if (fs::exists(to)) {
        throw user_error(fmt::format("'{}' exists", a.name), "choose another name, or another working directory");
    }
    fs::create_directory(to);
    for (const auto& entry : fs::directory_iterator(from)) {
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        std::ofstream out(to / renamed(entry.path().filename().string(), a), std::ios::binary);
        out << renamed(text, a);
        if (!in || !out.flush()) {
            throw machine_error(fmt::format("'{}' could not be written", (to / entry.path().filename()).string()));
        }
    }
    const bool installed = fs::is_directory(core_directory() / "cmake/gst");
    const std::string prefix = installed ? fs::weakly_canonical(core_directory() / "..").string() : "DIR";
    if (!installed) {
        fmt::print("this gst is not installed: cmake --install BUILD --prefix DIR\n");
    }
    fmt::print("{0}/ has a working {2}, its test and a README. Next:\n"
               "  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1}\n"
               "  cmake --build {0}/build && ctest --test-dir {0}/build --output-on-failure\n",
               a.name, prefix, a.kind == "search" ? "strategy" : a.kind);
}

} // namespace

void add_new(CLI::App& program) {
    CLI::App* command =
        add_command(program, "new", "Make a folder with a plugin to start from, outside of gst's sources",
                    "  gst new search tabu_search\n  gst new predictor linear_fit");
    const auto a = std::make_shared<arguments>();
    command->add_option("kind", a->kind, "what it is: search or predictor")
        ->required()
        ->check(CLI::IsMember({"search", "predictor"}));
    command->add_option("name", a->name, "its name, and that of the folder in the working directory")->required();
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
