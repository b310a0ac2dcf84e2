#include "core/api/plugin.hpp"
#include "core/base/error.hpp"
#include "core/base/utf8.hpp"
#include "plugins/search/external/messages.hpp"
#include "plugins/search/external/program.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>

namespace {

using namespace gst;
using external::misunderstanding;
using external::text_of;
using nlohmann::json;

/// A program of the user's that decides what is measured. It asks in lines of JSON, and gst answers each (the protocol:
/// docs/plugins.md); the search ends when it exits or the budget is spent.
class external_search : public search {
  public:
    explicit external_search(const plugin_options& o) : path_(o.text("program")), seconds_(o.real("seconds")) {
        if (path_.empty()) {
            throw user_error("the strategy 'external' needs a program that searches",
                             "program = \"my_search.py\": docs/plugins.md has one of 30 lines");
        }
        std::istringstream words(o.text("arguments"));
        for (std::string word; words >> word;) {
            arguments_.push_back(word);
        }
    }

    void run(problem& p) override {
        if (p.exhausted()) {
            return;
        }
        external::program other(path_, arguments_);
        other.send(text_of(external::greeting(p, p.rng().next() >> 11))); // exact as a double
        std::string before;
        for (std::size_t number = 1;; ++number) {
            p.stage("program");
            std::string line;
            if (!hear(other, line, number, before, p)) {
                return;
            }
            p.stage("answers");
            try {
                other.send(answer(p, json::parse(line)));
            } catch (const json::parse_error& e) {
                throw nonsense(line, number, "this is no JSON", e.byte == 0 ? 0 : e.byte - 1);
            } catch (const misunderstanding& e) {
                throw user_error(at_line(line, number, e.what(), e.hint));
            }
            before = std::move(line);
        }
    }

  private:
    /// The program with its arguments.
    std::string command() const {
        std::string all = path_;
        for (const std::string& a : arguments_) {
            all += " " + a;
        }
        return all;
    }

    diagnostic at_line(const std::string& line, std::size_t number, std::string message, std::string hint,
                       std::size_t from = 0) const {
        // Lines before this one are not kept.
        const std::size_t begin = number - 1;
        const auto said = std::make_shared<source>(source{"what " + path_ + " said", std::string(begin, '\n') + line});
        return {std::move(message), said, {begin + from, begin + line.size()}, std::move(hint)};
    }

    user_error nonsense(const std::string& line, std::size_t number, const std::string& message,
                        std::size_t from) const {
        return user_error(at_line(line, number, message,
                                  "it may write one JSON object per line to its standard output, and notes to its "
                                  "standard error",
                                  from));
    }

    /// Of a program whose line of this number did not come.
    static std::string had_said(std::size_t number, const std::string& before) {
        if (number == 1) {
            return "it had said nothing";
        }
        std::size_t shown = std::min<std::size_t>(before.size(), 200);
        while (shown > 0 && shown < before.size() && continues_character(before[shown])) {
            --shown;
        }
        return "line " + std::to_string(number - 1) + " was its last: " + before.substr(0, shown) +
               (shown < before.size() ? "…" : "");
    }

    /// Its next line; `before` is the one before. False when it has ended as it should, or has not a while after the
    /// budget was spent.
    bool hear(external::program& other, std::string& line, std::size_t number, const std::string& before, problem& p) {
        using heard = external::program::heard;
        const heard what =
            other.receive(line, std::chrono::duration<double>(seconds_), [&] { return has_had_its_time(p); });
        if (what == heard::line || p.exhausted()) {
            return what == heard::line && !has_had_its_time(p);
        }
        if (what == heard::not_listening) {
            std::ostringstream message;
            message << "'" << path_ << "' did not read what it had asked for within " << seconds_ << " s";
            throw user_error(message.str(), "it must read the answer to each line before it writes the next");
        }
        if (what == heard::nothing) {
            std::ostringstream message;
            message << "'" << path_ << "' did not say anything for " << seconds_ << " s";
            const char* remedy =
                "it must flush its standard output after each line, and answer in time: the option seconds";
            throw line.empty() ? user_error(message.str() + ": " + had_said(number, before), remedy)
                               : user_error(at_line(line, number, message.str(), remedy));
        }
        const std::optional<int> code = other.exit_code(std::chrono::seconds(1));
        if (code == 0) {
            p.trace("'" + command() + "' exited with code 0");
            return false;
        }
        throw user_error("'" + path_ + "' " +
                             (!code         ? "closed its standard output and goes on"
                              : *code > 128 ? "was ended by signal " + std::to_string(*code - 128)
                                            : "exited with code " + std::to_string(*code)) +
                             " before the budget was spent: " + had_said(number, before),
                         "its standard error may say why; exit code 0 ends the search early");
    }

    /// Once nothing more is measured, it is answered a little longer, so that it need not look after every step.
    bool has_had_its_time(const problem& p) {
        constexpr auto grace = std::chrono::seconds(1);
        if (!p.exhausted()) {
            return false;
        }
        const auto now = std::chrono::steady_clock::now();
        spent_ = spent_.value_or(now);
        return now - *spent_ > grace;
    }

    static std::string answer(problem& p, const json& request) {
        const std::string remedy = "a line is one of {\"ask\": […]}, {\"valid\": […]}, {\"sample\": n}, "
                                   "{\"neighbours\": {…}}";
        if (!request.is_object() || request.size() != 1) {
            throw misunderstanding("this is no request", remedy);
        }
        const std::string& what = request.begin().key();
        const json& given = request.begin().value();
        const space& s = p.space();
        if (what == "ask") {
            return tell(p, external::to_configurations(s, given));
        }
        if (what == "valid") {
            json valid = json::array();
            for (const configuration& c : external::to_configurations(s, given)) {
                valid.push_back(s.contains(c));
            }
            return text_of({{"valid", valid}});
        }
        if (what == "sample") {
            return R"({"sample":)" + text_of(s, samples(p, given)) + "}";
        }
        if (what == "neighbours") {
            return R"({"neighbours":)" + text_of(s, s.neighbours(external::to_configuration(s, given))) + "}";
        }
        throw misunderstanding(
            "unknown request '" + what + "'" + did_you_mean(what, {"ask", "valid", "sample", "neighbours"}), remedy);
    }

    static std::string tell(problem& p, const std::vector<configuration>& asked) {
        for (const configuration& c : asked) {
            if (const std::vector<std::string> broken = p.space().violations(c); !broken.empty()) {
                const std::string list = text_of(p.space(), {c});
                throw misunderstanding("the configuration " + list.substr(1, list.size() - 2) +
                                           " is not valid: " + enumerate(broken),
                                       "{\"valid\": […]} says which are; those of sample and neighbours always are");
            }
        }
        const std::string results = text_of(p.measure(asked));
        return R"({"tell":)" + results + R"(,"remaining":)" + std::to_string(p.remaining()) + "}";
    }

    static std::vector<configuration> samples(problem& p, const json& count) {
        constexpr std::uint64_t most = 1'000'000;
        if (!count.is_number_unsigned() || count > most) {
            throw misunderstanding("sample takes a number up to " + std::to_string(most),
                                   "for example {\"sample\": 1}");
        }
        std::vector<configuration> all;
        for (std::uint64_t i = 0; i < count.get<std::uint64_t>(); ++i) {
            all.push_back(p.space().sample(p.rng()));
        }
        return all;
    }

    std::string path_;
    std::vector<std::string> arguments_;
    double seconds_;
    std::optional<std::chrono::steady_clock::time_point> spent_; ///< when it was seen that the budget is
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"program", "path", "", nullptr, nullptr, "the program: an executable file, or a name that is in PATH"},
    {"arguments", "text", "", nullptr, nullptr, "its arguments, separated by spaces"},
    {"seconds", "real", "60", "0.001", "1000000", "that it may take between an answer and its next line"}};
GST_SEARCH_PLUGIN(external_search, "external", "1.0", "a program of one's own, in any language, that speaks JSON");
