/** The frame of everything that needs a session, as a route. */
import { createRoute, lazyRouteComponent, redirect, retainSearchParams } from "@tanstack/react-router"
import { chooseProject, projectsQuery, sessionQuery } from "./api/session.ts"
import { root, type RouterContext, textIn } from "./entrance.tsx"

/** The inputs of entering a route. */
interface Entry {
  readonly context: RouterContext
  readonly location: { readonly href: string }
}

const frameKey = "kanmon.frame"

/** Leads a visitor without a session to the sign-in, and back. */
const needSession = async ({ context: { client }, location }: Entry): Promise<void> => {
  const session = await client.ensureQueryData(sessionQuery)
  // index.html shows the frame of these pages early if the last visit was signed in.
  if (session === null) localStorage.removeItem(frameKey)
  else localStorage.setItem(frameKey, "shown")
  if (session === null)
    throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { to: location.href }, replace: true })
}

export const device = createRoute({
  getParentRoute: () => root,
  path: "/device",
  validateSearch: (search) => textIn(search, "user_code"),
  beforeLoad: needSession,
  component: lazyRouteComponent(() => import("./routes/Device.tsx"))
})

/** Everything below needs a session; without one the visitor signs in and comes back. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  // The instant of the past that pages show. It stays in the address of every page until the reader goes back to now.
  validateSearch: ({ at }: Record<string, unknown>): { readonly at?: string | undefined } =>
    typeof at === "string" && !Number.isNaN(Date.parse(at)) ? { at: new Date(at).toISOString() } : {},
  search: { middlewares: [retainSearchParams(["at"])] },
  beforeLoad: async ({ context, location }) => {
    await needSession({ context, location })
    // Links in notifications name the project.
    const wanted: unknown = Object.entries(location.search).find(([name]) => name === "project")?.[1]
    if (typeof wanted === "string") {
      chooseProject(wanted)
      throw redirect({ to: location.pathname, search: {}, replace: true })
    }
    void context.client.prefetchQuery(projectsQuery)
  },
  component: lazyRouteComponent(() => import("./routes/Shell.tsx"))
})
