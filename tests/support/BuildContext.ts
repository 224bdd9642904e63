/** What the builder of the image is sent: the files of the checkout that `.dockerignore` lets through, by Docker's own rules. */
import { readFileSync } from "node:fs"
import * as path from "node:path"
import dockerignore from "@balena/dockerignore"
import { root } from "./Deployment.ts"

const rules = dockerignore.default().add(readFileSync(path.join(root, ".dockerignore"), "utf8"))

/** Whether a file, by its path in the checkout, belongs to the context. A folder does when a file in it may. */
export const holds = (file: string): boolean => {
  const relative = path.relative(root, path.resolve(root, file))
  return relative === "" || !rules.ignores(relative)
}
