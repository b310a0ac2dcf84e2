#include "core/host/make_plugin.hpp"

#include "core/host/find_plugin.hpp"
#include "core/host/guarded.hpp"

#include <utility>

namespace gst {

namespace {

class guarded_search : public search {
  public:
    guarded_search(const plugin& from, owned<search> inner) : from_(from), inner_(std::move(inner)) {}
    void run(problem& p) override {
        guarded(from_, "search", [&] { inner_->run(p); });
    }

  private:
    const plugin from_;
    owned<search> inner_;
};

class guarded_device : public device {
  public:
    guarded_device(const plugin& from, std::unique_ptr<device> inner) : from_(from), inner_(std::move(inner)) {}
    std::unique_ptr<memory> allocate(std::uint64_t bytes, const image_shape* image, memory* over) override {
        return guarded(from_, "allocate", [&] { return inner_->allocate(bytes, image, over); });
    }
    void write(memory& to, std::uint64_t at, std::span<const std::byte> bytes) override {
        guarded(from_, "write to the device", [&] { inner_->write(to, at, bytes); });
    }
    void read(memory& from, std::uint64_t at, std::span<std::byte> bytes) override {
        guarded(from_, "read from the device", [&] { inner_->read(from, at, bytes); });
    }
    std::unique_ptr<executable> load(const binary& b) override {
        return guarded(from_, "load a program", [&] { return inner_->load(b); });
    }
    double run(std::span<const command> commands) override {
        return guarded(from_, "run a program", [&] { return inner_->run(commands); });
    }
    named_numbers state() override {
        return guarded(from_, "tell the device's state", [&] { return inner_->state(); });
    }

  private:
    const plugin from_;
    std::unique_ptr<device> inner_;
};

class guarded_backend : public backend {
  public:
    guarded_backend(const plugin& from, owned<backend> inner) : from_(from), inner_(std::move(inner)) {}
    std::vector<device_info> devices() override {
        return guarded(from_, "list its devices", [&] { return inner_->devices(); });
    }
    device_info architecture(const std::string& name) override {
        return guarded(from_, "describe an architecture", [&] { return inner_->architecture(name); });
    }
    binary compile(const device_info& target, const module_source& source) override {
        return guarded(from_, "compile", [&] { return inner_->compile(target, source); });
    }
    std::unique_ptr<device> open(const device_info& target) override {
        return std::make_unique<guarded_device>(from_,
                                                guarded(from_, "open a device", [&] { return inner_->open(target); }));
    }

  private:
    const plugin from_;
    owned<backend> inner_;
};

} // namespace

std::unique_ptr<search> make_search(const plugin& p, const plugin_options& options) {
    return std::make_unique<guarded_search>(p, create<search>(p, options));
}

std::function<std::unique_ptr<search>(const std::string&, const std::map<std::string, value>&)>
search_maker(const std::filesystem::path& directory) {
    const auto found = std::make_shared<std::map<std::string, const plugin*>>(); // to find one reads files
    return [directory, found](const std::string& name, const std::map<std::string, value>& options) {
        const plugin*& known = (*found)[name];
        if (!known) {
            known = &find_plugin("search", name, directory);
        }
        const plugin& p = *known;
        std::map<std::string, value> given;
        for (const auto& [option, v] : options) {
            given[option] = resolved(p, option, v, directory);
        }
        return make_search(p, check_options(p, given));
    };
}

std::unique_ptr<backend> make_backend(const plugin& p, const plugin_options& options) {
    return std::make_unique<guarded_backend>(p, create<backend>(p, options));
}

} // namespace gst
