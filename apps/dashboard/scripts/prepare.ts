/** The root's `prepare` script: builds the dashboard where its tools are installed, as after `npm ci`. */
import { fileURLToPath } from "node:url"

const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

if (isInstalled("vite") && isInstalled("react")) await import(fileURLToPath(new URL("build.ts", import.meta.url)))
else console.log("The dashboard is not built: its tools are development dependencies, which are left out")
