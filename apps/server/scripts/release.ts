/**
 * `npm run release:version`: turns the files in `.changeset` into a version of everything and a section of the changelog.
 * `npm run release:notes`: prints the current version's section. The workflow `release.yml` runs both.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { notes, type Report, section, withSection } from "./changelog.ts"

const root = path.resolve(import.meta.dirname, "../../..")
const changelog = path.join(root, "CHANGELOG.md")

const run = (command: string, ...parameters: ReadonlyArray<string>): void =>
  void execFileSync(command, parameters, { cwd: root, stdio: "inherit" })

const edit = (file: string, change: (text: string) => string): void =>
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")))

const report = (): Report => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kanmon-release-"))
  const file = path.join(folder, "status.json")
  try {
    run("changeset", "status", `--output=${file}`)
    return JSON.parse(fs.readFileSync(file, "utf8"))
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** Files outside the workspaces that contain the version. */
const others = (): ReadonlyArray<string> => [
  ...fs.globSync(["docs/examples/**/package.json", "apps/server/templates/*/package.json"], {
    cwd: root,
    exclude: ["**/node_modules/**"]
  }),
  "docs/deploy/kubernetes/kustomization.yaml",
  "docs/deploy/kubernetes/remote-probe/kustomization.yaml",
  "docs/examples/as-code/github-actions.yml",
  "docs/operate/deploy.md"
]

const release = (): void => {
  const found = report()
  const [first] = found.releases
  if (first === undefined) throw new Error("Nothing to release: .changeset has no change with a version")
  const { newVersion, oldVersion } = first
  const date = new Date().toISOString().slice(0, 10)
  edit(changelog, (text) => withSection(text, section(newVersion, date, found)))
  run("changeset", "version")
  edit(path.join(root, "package.json"), (text) =>
    text.replace(`"version": "${oldVersion}"`, `"version": "${newVersion}"`)
  )
  for (const file of others())
    edit(path.join(root, file), (text) =>
      text
        .replaceAll(new RegExp(`("@kanmon/[a-z-]+": )"${oldVersion}"`, "g"), `$1"${newVersion}"`)
        .replaceAll(`newTag: "${oldVersion}"`, `newTag: "${newVersion}"`)
        .replaceAll(`@kanmon/cli@${oldVersion}`, `@kanmon/cli@${newVersion}`)
    )
  // Only the lock file: nothing is built for it.
  run("npm", "install", "--package-lock-only", "--ignore-scripts")
  run("npm", "run", "generate")
  run("npm", "run", "format")
}

const [command] = process.argv.slice(2)
if (command === "version") release()
else if (command === "notes") {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
  console.log(notes(fs.readFileSync(changelog, "utf8"), version) ?? `Kanmon ${version}`)
} else throw new Error("Usage: release.ts version | notes")
