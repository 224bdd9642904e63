/** The documentation as a site: the Markdown of `docs/` as it is, with a side bar, a search and one address for each page. */
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitepress"

const docs = fileURLToPath(new URL("..", import.meta.url))

/** Where the repository is published, for links to files that are no page: `https://example.com/kanmon/blob/main`. */
// oxlint-disable-next-line node/no-process-env -- a setting of the build
const source = process.env["KANMON_DOCS_SOURCE"]?.replace(/\/$/, "")

/** Folders whose readme is their first page. */
const withReadme = ["decisions", "operate"]
const rewrites = Object.fromEntries(withReadme.map((folder) => [`${folder}/README.md`, `${folder}/index.md`]))

/** Documents for programs, which the pages link to. */
const documents = ["asyncapi.json", "kanmon.schema.json", "openapi.json"]

const plain = (heading: string): string => heading.replaceAll(/`|\[|\]\([^)]*\)/g, "")

const title = (file: string): string => plain(/^# (.+)$/m.exec(readFileSync(join(docs, file), "utf8"))?.[1] ?? file)

const page = (file: string) => ({
  text: title(file),
  link: `/${(rewrites[file] ?? file).replace(/(index)?\.md$/, "")}`
})

const pagesOf = (folder: string, except: ReadonlyArray<string> = []) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md" && !except.includes(name))
    .map((name) => page(`${folder}/${name}`))

/** In the order in which somebody needs them; what is new and not named here follows. */
const guide = {
  "First steps": ["run", "dashboard", "why-down", "organize"],
  "Who is told": ["alerts", "being-on-call", "on-call", "integrations", "incidents", "status-pages", "custom-domains"],
  People: ["access", "accounts", "single-sign-on", "billing"],
  Automation: ["api", "as-code", "sdk", "events", "plugins"],
  Background: ["architecture", "glossary"]
}

const guideNames = Object.values(guide).flat()
const rest = pagesOf(
  "guide",
  guideNames.map((name) => `${name}.md`)
)

const sidebar = {
  "/guide/": [
    ...Object.entries(guide).map(([text, names]) => ({ text, items: names.map((name) => page(`guide/${name}.md`)) })),
    ...(rest.length > 0 ? [{ text: "More", items: rest }] : [])
  ],
  "/operate/": [{ text: "Operate", items: [page("operate/README.md"), ...pagesOf("operate")] }],
  "/reference/": [
    { text: "Reference", items: pagesOf("reference") },
    { text: "Types of monitors", items: pagesOf("reference/plugins") },
    { text: "Types of channels", items: pagesOf("reference/channels") }
  ],
  "/decisions/": [{ text: "Decisions", items: [page("decisions/README.md"), ...pagesOf("decisions")] }]
}

/** A link to a file that is no page leads to the repository, or is plain text where its address is not known. */
const elsewhere = (href: string, from: string): string | undefined => {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return undefined
  const path = posix.join("docs", posix.dirname(from), href.replace(/#.*$/, ""))
  const isPage = path.startsWith("docs/") && path.endsWith(".md") && !/^docs\/(?:examples|deploy)\//.test(path)
  return isPage || documents.some((name) => path === `docs/reference/${name}`) ? undefined : path
}

export default defineConfig({
  title: "Kanmon",
  description: "Uptime monitoring that you run yourself",
  srcExclude: ["examples/**", "deploy/**"],
  rewrites,
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/mark.svg" }]],
  markdown: {
    languageAlias: { caddyfile: "nginx" },
    config: (markdown) => {
      markdown.core.ruler.push("elsewhere", ({ env, tokens }) => {
        const from: string = env.relativePath
        for (const { children } of tokens) {
          let open: string | undefined
          for (const token of children ?? []) {
            if (token.type === "link_open") {
              open = elsewhere(decodeURI(String(token.attrGet("href"))), from)
              if (open === undefined) continue
              if (source === undefined) {
                token.tag = "span"
                token.attrs = [["title", `${open} in the repository`]]
              } else token.attrSet("href", `${source}/${open}`)
            } else if (token.type === "link_close" && open !== undefined) {
              if (source === undefined) token.tag = "span"
              open = undefined
            }
          }
        }
      })
    }
  },
  themeConfig: {
    logo: "/mark.svg",
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      { text: "Guide", link: "/guide/run", activeMatch: "^/guide/" },
      { text: "Operate", link: "/operate/", activeMatch: "^/operate/" },
      { text: "Reference", link: "/reference/errors", activeMatch: "^/reference/" },
      { text: "Decisions", link: "/decisions/", activeMatch: "^/decisions/" }
    ],
    sidebar
  },
  buildEnd: ({ outDir }) => {
    cpSync(join(docs, "images"), join(outDir, "images"), { recursive: true })
    for (const name of documents) copyFileSync(join(docs, "reference", name), join(outDir, "reference", name))
    for (const name of guideNames)
      if (!existsSync(join(outDir, "guide", `${name}.html`)))
        throw new Error(`docs/.vitepress/config.ts names a page that is not in docs/guide: ${name}`)
  }
})
