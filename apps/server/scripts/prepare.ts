/** The root's `prepare` script: builds the dashboard and the server where their tools are installed, as after `npm ci`. */
import { fileURLToPath } from "node:url"

const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

const build = (script: string) => import(fileURLToPath(new URL(script, import.meta.url)))

if (isInstalled("vite") && isInstalled("react")) await build("../../dashboard/scripts/build.ts")
else console.log("The dashboard is not built: its tools are development dependencies, which are left out")
if (isInstalled("rolldown")) await build("build.ts")
else console.log("The server is not compiled, for the same reason: it runs from its sources")
