/** The build of the dashboard, and its development server. */
import { fileURLToPath } from "node:url"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import { german as germanReasons } from "@kanmon/domain/ReasonsGerman"
import { japanese as japaneseReasons } from "@kanmon/domain/ReasonsJapanese"
import { minimumOrganizationRole, minimumRole, roles } from "@kanmon/domain/Role"
import { dashboardTokens } from "@kanmon/status-page/Tokens"
import tailwind from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { withoutContext } from "./src/locales/context.ts"

const root = fileURLToPath(new URL(".", import.meta.url))

/** The server that `npm run dev` sends API requests to. */
// oxlint-disable-next-line node/no-process-env -- a development setting
const server = process.env["KANMON_URL"] ?? "http://127.0.0.1:3000"

/** `virtual:tokens.css`: the colours that the dashboard shares with status pages. */
const tokens: Plugin = {
  name: "kanmon-tokens",
  resolveId: (id) => (id === "virtual:tokens.css" ? "\0tokens.css" : undefined),
  load: (id) => (id === "\0tokens.css" ? dashboardTokens : undefined)
}

/** `virtual:roles`: the tables of what each role may do, without the code that declares it. */
const roleTable: Plugin = {
  name: "kanmon-roles",
  resolveId: (id) => (id === "virtual:roles" ? "\0roles.js" : undefined),
  load: (id) =>
    id === "\0roles.js"
      ? Object.entries({ roles, minimumRole, minimumOrganizationRole })
          .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}`)
          .join("\n")
      : undefined
}

/** The font is asked for with the document: a phone would otherwise wait for the styles first, and show the page without it. */
const preloadedFont: Plugin = {
  name: "kanmon-font",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith(".woff2"))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${file}` },
          injectTo: "head" as const
        }))
  }
}

const german = `${root}src/locales/de.ts`

const readTexts = async (file: string): Promise<Readonly<Record<string, string>>> => {
  const { default: texts } = (await import(`${file}?${Date.now()}`)) as { default: Readonly<Record<string, string>> }
  return texts
}

/**
 * `virtual:messages/<locale>`: the texts, compiled. The German catalogue has every text. English texts are their own ids, so
 * only those with arguments or a context are needed; they stand in for what another language lacks.
 */
const messages: Plugin = {
  name: "kanmon-messages",
  resolveId: (id) => (id.startsWith("virtual:messages/") ? `\0${id}.js` : undefined),
  async load(id) {
    const name = /^\0virtual:messages\/(en|de|ja)\.js$/.exec(id)?.[1]
    if (name === undefined) return undefined
    const file = `${root}src/locales/${name}.ts`
    const files = name === "en" ? [german] : [german, file]
    for (const each of files) this.addWatchFile(each)
    const texts = Object.keys(await readTexts(german))
    const own = name === "en" ? {} : await readTexts(file)
    const compiled = texts
      .filter((text) => text in own || text.includes("{") || text !== withoutContext(text))
      .map((text) => [text, compileMessage(own[text] ?? withoutContext(text))])
    return `export default ${JSON.stringify(Object.fromEntries(compiled))}`
  }
}

/** `virtual:reasons/<locale>`: the sentences of reasons, which the domain has. */
const reasons: Plugin = {
  name: "kanmon-reasons",
  resolveId: (id) => (id.startsWith("virtual:reasons/") ? `\0${id}.js` : undefined),
  load: (id) =>
    id === "\0virtual:reasons/de.js"
      ? `export default ${JSON.stringify(germanReasons)}`
      : id === "\0virtual:reasons/ja.js"
        ? `export default ${JSON.stringify(japaneseReasons)}`
        : undefined
}

export default defineConfig({
  root,
  plugins: [tokens, roleTable, messages, reasons, preloadedFont, react(), tailwind()],
  logLevel: "warn",
  // Files find each other from where they are, so that the same build is served below any path; the server writes the document.
  experimental: { renderBuiltUrl: (_name, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  build: {
    target: ["chrome120", "firefox121", "safari17"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // Each file costs a phone a round trip, so all that the entry needs is one.
        codeSplitting: { groups: [{ name: "base", tags: ["$initial"] }] }
      }
    }
  },
  server: {
    port: 5173,
    proxy: {
      "/api": {
        target: server,
        // Requests with a session must come from the server's own address.
        headers: { origin: new URL(server).origin }
      },
      "/status": { target: server }
    }
  }
})
