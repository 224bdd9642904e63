/** The build of the dashboard, and its development server. */
import { fileURLToPath } from "node:url"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import { switchableTokens } from "@kanmon/status-page/Tokens"
import tailwind from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const root = fileURLToPath(new URL(".", import.meta.url))

/** The server that `npm run dev` sends API requests to. */
// oxlint-disable-next-line node/no-process-env -- a development setting
const server = process.env["KANMON_URL"] ?? "http://127.0.0.1:3000"

/** `virtual:tokens.css`: the colours that the dashboard shares with status pages. */
const tokens: Plugin = {
  name: "kanmon-tokens",
  resolveId: (id) => (id === "virtual:tokens.css" ? "\0tokens.css" : undefined),
  load: (id) => (id === "\0tokens.css" ? switchableTokens : undefined)
}

const english = { name: "en", file: "de", own: false }
const catalogues = [english, { name: "de", file: "de", own: true }]

/** `virtual:messages/<locale>`: the texts, compiled. English texts are their own ids, so only those with arguments are needed. */
const messages: Plugin = {
  name: "kanmon-messages",
  resolveId: (id) => (id.startsWith("virtual:messages/") ? `\0${id}.js` : undefined),
  async load(id) {
    const found = catalogues.find(({ name }) => id === `\0virtual:messages/${name}.js`)
    if (found === undefined) return undefined
    const file = `${root}src/locales/${found.file}.ts`
    this.addWatchFile(file)
    const { default: texts } = (await import(`${file}?${Date.now()}`)) as { default: Record<string, string> }
    const compiled = Object.entries(texts).flatMap(([text, own]) =>
      found.own || text.includes("{") ? [[text, compileMessage(found.own ? own : text)]] : []
    )
    return `export default ${JSON.stringify(Object.fromEntries(compiled))}`
  }
}

export default defineConfig({
  root,
  plugins: [tokens, messages, react(), tailwind()],
  logLevel: "warn",
  build: {
    target: ["chrome120", "firefox121", "safari17"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000
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
