/** Puts the examples of the guides where they are named: they are files that are compiled and tested, and never a copy. */
import * as fs from "node:fs/promises"
import * as path from "node:path"

const place = /^<!-- begin (\S+) -->\n[\s\S]*?^<!-- end -->$/gm

/** The guide as it should be, with the files that it names, and the `parts` that are written from the sources, by their names. */
export const included = async (
  root: string,
  guide: string,
  parts: Readonly<Record<string, string>> = {}
): Promise<string> => {
  const text = await fs.readFile(path.join(root, guide), "utf8")
  const files = new Map<string, string>()
  for (const [, file = ""] of text.matchAll(place))
    if (parts[file] === undefined) files.set(file, await fs.readFile(path.join(root, file), "utf8"))
  return text.replaceAll(place, (_, name: string) => {
    const part = parts[name] ?? `\`\`\`${path.extname(name).slice(1)}\n${files.get(name)!.trimEnd()}\n\`\`\``
    return `<!-- begin ${name} -->\n\n${part}\n\n<!-- end -->`
  })
}
