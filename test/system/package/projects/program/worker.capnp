using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "main",
      worker = (
        modules = [(name = "worker", esModule = embed "worker.bundle.js")],
        compatibilityDate = "2026-11-01",
        bindings = [(name = "BASE_URL", fromEnvironment = "BASE_URL")],
      ),
    ),
    # The mock stands on loopback, which workers may not reach unless told so.
    (name = "internet", network = (allow = ["local"])),
  ],
);
