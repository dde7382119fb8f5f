// SPDX-License-Identifier: Apache-2.0
// The four names by which oneTBB finds the source of its workers, among the symbols of the process
// (it looks for a library libirml.so.1 first). It asks once, at the first use of its scheduler, and
// makes threads of its own where the factory cannot be opened, without a word.

#include "omp/team/root.hpp"
#include "platform/settings/settings.hpp"
#include "runtimes/found/found.hpp"
#include "runtimes/rml/server.hpp"
#include "sched/pool/pool.hpp"

using kasuri::runtimes::rml::client_face;
using kasuri::runtimes::rml::contract_version;
using kasuri::runtimes::rml::server;
using kasuri::runtimes::rml::server_face;
using kasuri::runtimes::rml::status;

// The factory is oneTBB's, which keeps there what it has found; nothing in it is for us.
extern "C" {

[[gnu::visibility("default")]] status __RML_open_factory(void*, unsigned* server_version,
                                                         unsigned client_version) {
  *server_version = contract_version;
  if (!kasuri::platform::current_settings().onetbb) return status::not_found;
  if (client_version != contract_version) return status::incompatible;
  // Here, where oneTBB itself has just asked the loader: it asks for the server with a lock of its
  // own held, for which a constructor may wait that the loader runs.
  kasuri::omp::prepare_process();
  kasuri::sched::pool::get();
  kasuri::runtimes::look();  // what came with oneTBB
  return status::success;
}

[[gnu::visibility("default")]] status __TBB_make_rml_server(void*, server_face** made,
                                                            client_face* client) {
  *made = server::make(*client);
  return *made != nullptr ? status::success : status::not_found;
}

/// The connections have ended by themselves.
[[gnu::visibility("default")]] void __RML_close_factory(void*) {}

[[gnu::visibility("default")]] void __TBB_call_with_my_server_info(void (*tell)(void* arg,
                                                                                const char* line),
                                                                   void* arg) {
  tell(arg, "Kasuri " KASURI_VERSION);
}

}  // extern "C"
