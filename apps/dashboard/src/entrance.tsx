/** The root of all routes, and those that need no session: signing in and up, lost passwords, invitations and the wall. */
import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { isNewInstallation, methodsQuery } from "./api/methods.ts"
import { NotFound, PageError } from "./routes/Failures.tsx"
import { Root } from "./routes/Root.tsx"

export interface RouterContext {
  readonly client: QueryClient
}

/** The frame of every page. */
export const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: (props) => (
    <main>
      <PageError {...props} />
    </main>
  ),
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  )
})

/** A path of this site, to return to after signing in; never another site. */
const returnTo = (search: Record<string, unknown>): { readonly to?: string | undefined } => {
  const { to } = search
  return typeof to === "string" && /^\/(?![/\\])/.test(to) && !to.startsWith("/sign-") ? { to } : {}
}

/** One text of an address, if it is there. */
export const textIn = <Name extends string>(
  search: Record<string, unknown>,
  name: Name
): { readonly [_ in Name]?: string } => {
  const value = search[name]
  return (typeof value === "string" && value !== "" ? { [name]: value } : {}) as { readonly [_ in Name]?: string }
}

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  // No text: a link could have any, which people would read as ours.
  validateSearch: (search): { readonly to?: string | undefined; readonly reset?: true } => ({
    ...returnTo(search),
    ...(search["reset"] === true ? { reset: true } : {})
  }),
  beforeLoad: async ({ context: { client }, search }) => {
    if (await isNewInstallation(client)) throw redirect({ to: "/sign-up", search: returnTo(search), replace: true })
  },
  // Which buttons there are is known when they appear. Without an answer all are shown.
  loader: ({ context: { client } }) => client.prefetchQuery(methodsQuery),
  component: lazyRouteComponent(() => import("./routes/SignIn.tsx"))
})

export const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: returnTo,
  // Whether this is the first account is known when the page appears.
  loader: ({ context: { client } }) => client.prefetchQuery(methodsQuery),
  component: lazyRouteComponent(() => import("./routes/SignUp.tsx"))
})

export const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  validateSearch: (search) => textIn(search, "email"),
  component: lazyRouteComponent(() => import("./routes/ForgotPassword.tsx"))
})

export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  validateSearch: (search) => ({ ...textIn(search, "token"), ...textIn(search, "error") }),
  component: lazyRouteComponent(() => import("./routes/ResetPassword.tsx"))
})

export const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  validateSearch: (search) => textIn(search, "token"),
  component: lazyRouteComponent(() => import("./routes/Invitation.tsx"))
})

export const wall = createRoute({
  getParentRoute: () => root,
  path: "/wall",
  component: lazyRouteComponent(() => import("./routes/Wall.tsx"))
})
