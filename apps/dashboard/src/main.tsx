/** Starts the dashboard. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { startTransition, StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { I18nProvider } from "react-aria-components"
import { ApiError } from "./api/problem.ts"
import { sessionQuery } from "./api/session.ts"
import { writeReasonTimes } from "./locales/reasons.ts"
import { formatLocale, load } from "./locales/text.ts"
import { day, moment } from "./locales/time.ts"
import { makeRouter } from "./router.tsx"
import "virtual:tokens.css"
import "./theme/theme.css"

const maxRetries = 2

/** A refusal stays one; a server that is away may come back. */
const mayRecover = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: (count, error) => count < maxRetries && mayRecover(error), staleTime: 10_000 },
    mutations: { retry: false }
  }
})

const router = makeRouter(client)

// The code of the page is asked for with the session and the texts, not after them. A failure shows when the page is opened.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname)
for (const route of matched) router.loadRouteChunk(route)?.catch(() => undefined)
if (matched.some(({ id }) => id === "/shell")) void client.prefetchQuery(sessionQuery)
await load()
writeReasonTimes({ instant: moment, day })
const app = (
  <StrictMode>
    <I18nProvider locale={formatLocale()}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>
)
// As a transition the first rendering pauses for input, also on a slow phone.
startTransition(() => createRoot(document.getElementById("root")!).render(app))
