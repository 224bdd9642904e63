/** A component on a page of its own, with the styles, the texts and the context that every page of the dashboard has. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { I18nProvider } from "react-aria-components"
import { render } from "vitest-browser-react"
import { load } from "../../src/locales/text.ts"
import "virtual:tokens.css"
import "../../src/theme/theme.css"

/** `client` has the answers of the API. Answers the router, which knows where links led. */
export const shown = async (element: ReactNode, client = new QueryClient()) => {
  await load("en")
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <main className="p-8">{element}</main>,
      notFoundComponent: () => element
    }),
    history: createMemoryHistory({ initialEntries: ["/"] })
  })
  await render(
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nProvider>
  )
  return router
}
