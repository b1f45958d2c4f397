"""Running Flux: the environment, the embedded servers, the supervisor and the tools in `bin/`.

Plain Python without Django. Nothing of the apps is imported here: they run as child processes, and
tell that they are ready through `flux_site.runtime.state.mark_ready`.
"""
