#include "core/measure/worker/bench.hpp"
#include "core/measure/worker/role.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gst::worker {

using nlohmann::json;

namespace {

/// The time loop of `gst run` and of tests: a program on buffers of its own.
struct loop {
    std::vector<std::vector<std::unique_ptr<memory>>> buffers;
    std::unique_ptr<program_run> run;
    std::int64_t step = 0; ///< where it begins
};

class measure_role : public role {
  public:
    answer handle(const frame& request) override {
        const auto begin = std::chrono::steady_clock::now();
        answer a = dispatch(request);
        a.body["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return a;
    }

  private:
    answer dispatch(const frame& request);
    void open(const json& r);
    json load(const frame& request);
    json time(const json& r);
    named_numbers state() const;
    void start(const json& r);
    program_run& started();
    double advance(unsigned steps);
    json check();
    json bandwidth(const json& r);

    opened_device on_;
    std::unique_ptr<bench> bench_;
    loop loop_;
};

void measure_role::open(const json& r) {
    on_.backend = open_backend(r);
    r.at("device").get_to(on_.info);
    on_.device = on_.backend->open(on_.info);
}

json measure_role::load(const frame& request) {
    binary b;
    b.bytes.assign(reinterpret_cast<const char*>(request.payload.data()), request.payload.size());
    on_.modules[request.body.at("id").get<std::string>()] = on_.device->load(b);
    return json::object();
}

json measure_role::time(const json& r) {
    if (!bench_) {
        throw std::runtime_error("nothing has been set up");
    }
    const timing t = bench_->time(r.at("how").get<timing_method>(), r.at("best").get<double>());
    return {{"times", t.times}, {"time", t.time}, {"censored", t.censored}, {"state", state()}};
}

/// A state that cannot be told spoils no measurement.
named_numbers measure_role::state() const {
    try {
        return on_.device->state();
    } catch (const std::exception&) {
        return {};
    }
}

void measure_role::start(const json& r) {
    loop_ = {};
    auto p = r.at("program").get<bound_program>();
    field_buffers buffers;
    for (std::size_t f = 0; f < p.types.size(); ++f) {
        loop_.buffers.emplace_back();
        buffers.emplace_back();
        for (int b = 0; b < buffers_of(p, f); ++b) {
            loop_.buffers.back().push_back(on_.device->allocate(p.allocated * size_of(p.types[f]), nullptr, nullptr));
            buffers.back().push_back(loop_.buffers.back().back().get());
        }
    }
    loop_.step = r.at("step").get<std::int64_t>();
    loop_.run = std::make_unique<program_run>(on_, std::move(p), r.at("parameters").get<std::vector<double>>(),
                                              std::move(buffers));
}

program_run& measure_role::started() {
    if (!loop_.run) {
        throw std::runtime_error("no program has been started");
    }
    return *loop_.run;
}

double measure_role::advance(unsigned steps) {
    program_run& run = started();
    const auto per_call = static_cast<unsigned>(run.program().steps);
    const unsigned most_at_once = std::max(1024 / per_call, 1U) * per_call; // commands wait in memory until they run
    double ms = 0;
    for (unsigned done = 0; done < steps; done += most_at_once) {
        ms += run.advance(std::min(most_at_once, steps - done));
    }
    return ms;
}

/// Whether the device still does the simplest things: after some errors every call fails.
json measure_role::check() {
    std::vector<std::uint32_t> sent(1024);
    for (std::size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    std::vector<std::uint32_t> got(sent.size());
    const auto from = on_.device->allocate(4096, nullptr, nullptr);
    const auto to = on_.device->allocate(4096, nullptr, nullptr);
    on_.device->write(*from, 0, std::as_bytes(std::span(sent)));
    const command copy = copy_command{from.get(), to.get(), 4096};
    on_.device->run({&copy, 1});
    on_.device->read(*to, 0, std::as_writable_bytes(std::span(got)));
    return {{"well", got == sent}};
}

json measure_role::bandwidth(const json& r) {
    const auto bytes = r.at("bytes").get<std::uint64_t>();
    const auto runs = r.at("runs").get<int>();
    std::array<std::unique_ptr<memory>, 2> arrays;
    const std::array<std::byte, 4> zero{};
    for (auto& a : arrays) {
        a = on_.device->allocate(bytes, nullptr, nullptr);
        fill(*on_.device, *a, 0, bytes, zero);
    }
    const std::array<memory*, 2> extras{arrays[0].get(), arrays[1].get()};
    std::vector<std::pair<std::string, command>> ways{{"copy command", copy_command{extras[0], extras[1], bytes}}};
    if (r.contains("module")) {
        for (const launch& l : r.at("launches").get<std::vector<launch>>()) {
            ways.emplace_back(l.kernel, extra_launch(l, on_.module(r.at("module").get<std::string>()), extras));
        }
    }
    double best = std::numeric_limits<double>::infinity();
    std::string best_way;
    for (const auto& [name, way] : ways) {
        for (int i = 0; i < runs; ++i) {
            const double ms = on_.device->run({&way, 1});
            if (i > 0 && ms < best) { // the first run warms up
                best = ms;
                best_way = name;
            }
        }
    }
    return {{"ms", best}, {"way", best_way}};
}

answer measure_role::dispatch(const frame& request) {
    const json& r = request.body;
    const auto& what = r.at("ask").get_ref<const std::string&>();
    if (what == "open") {
        open(r);
    } else if (what == "load") {
        return {load(request), {}};
    } else if (what == "unload") {
        on_.modules.erase(r.at("id").get<std::string>());
    } else if (what == "setup") {
        bench_.reset();
        bench_ = std::make_unique<bench>(on_, r);
        return {bench_->report(), {}};
    } else if (what == "verify") {
        if (!bench_) {
            throw std::runtime_error("nothing has been set up");
        }
        return {bench_->verify(r.at("program").get<bound_program>()), {}};
    } else if (what == "time") {
        return {time(r), {}};
    } else if (what == "check") {
        return {check(), {}};
    } else if (what == "start") {
        start(r);
    } else if (what == "write") {
        memory& to = *loop_.buffers.at(r.at("field").get<std::size_t>()).at(r.at("buffer").get<std::size_t>());
        on_.device->write(to, r.at("at").get<std::uint64_t>(), request.payload);
    } else if (what == "begin") {
        started().begin(loop_.step);
    } else if (what == "advance") {
        return {json{{"ms", advance(r.at("steps").get<unsigned>())}}, {}};
    } else if (what == "read") {
        answer a{json::object(), std::vector<std::byte>(r.at("bytes").get<std::size_t>())};
        memory& from = started().level(r.at("field").get<std::size_t>(), r.at("age").get<int>());
        on_.device->read(from, r.at("at").get<std::uint64_t>(), a.payload);
        return a;
    } else if (what == "finish") {
        loop_ = {};
    } else if (what == "bandwidth") {
        return {bandwidth(r), {}};
    } else {
        throw std::runtime_error("the worker cannot " + what);
    }
    return {};
}

} // namespace

std::unique_ptr<role> make_measure_role() {
    return std::make_unique<measure_role>();
}

} // namespace gst::worker
