//! Sets the linker flags of a Node-API module.

fn main() {
    napi_build::setup();
}
