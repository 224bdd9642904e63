/** The frame of every page with a session: navigation, project, account, and the state of the connection. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, Outlet, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { Main } from "../api/Main.tsx"
import { onSessionEnd } from "../api/request.ts"
import { projectsQuery, sessionQuery, signOut, useProject } from "../api/session.ts"
import { ProjectDataProvider, useProjectData } from "../live/ProjectData.tsx"
import { choose, locale, type Locale, locales, t } from "../locales/text.ts"
import { type Scheme, setScheme, useScheme } from "../theme/scheme.ts"
import { Button } from "../ui/Button.tsx"
import { Icon, Mark } from "../ui/Icon.tsx"
import { LostConnection, Notice } from "../ui/Notice.tsx"
import { Menu } from "../ui/Menu.tsx"
import { lookAt } from "../browser/now.ts"
import { GlobalKeys, PaletteButton } from "./GlobalKeys.tsx"
import { LostProject } from "./LostProject.tsx"
import { Navigation, TabBar } from "./Navigation.tsx"
import { ProjectMenu } from "./ProjectMenu.tsx"
import { useLostProject } from "./useLostProject.ts"

/** Rarely needed, so it is not part of the first load. */
const loadEndedSession = () => import("./EndedSession.tsx")
const EndedSession = lazy(loadEndedSession)
/** For accounts that belong to no organization. */
const NoProject = lazy(() => import("./NoProject.tsx"))
const PastBar = lazy(async () => ({ default: (await import("../live/PastBar.tsx")).PastBar }))
const Notices = lazy(() => import("./AccountNotices.tsx"))
/** Milliseconds after which it is loaded all the same: a new version of Kanmon may no longer have it when it is needed. */
const idle = 5000

const AccountMenu = () => {
  const { data } = useQuery(sessionQuery)
  const client = useQueryClient()
  const navigate = useNavigate()
  const scheme = useScheme()
  const schemes: ReadonlyArray<readonly [Scheme, string]> = [
    ["system", t("System colours")],
    ["light", t("Light")],
    ["dark", t("Dark")]
  ]
  const leave = async () => {
    await signOut(client)
    await navigate({ to: "/sign-in", search: {} })
  }
  return (
    <Menu
      label={t("Account")}
      button={
        <Button
          kind="quiet"
          className="min-w-0 px-2 md:justify-start"
          aria-label={[data?.user.name, t("Account and appearance")].join(", ")}
        >
          <Icon name="account" className="shrink-0" />
          <span className="truncate max-md:hidden">{data?.user.name}</span>
        </Button>
      }
      groups={[
        schemes.map(([id, label]) => ({ id, label, checked: id === scheme, onAction: () => setScheme(id) })),
        Object.entries(locales).map(([id, label]) => ({
          id,
          label,
          checked: id === locale(),
          onAction: () => choose(id as Locale)
        })),
        [
          {
            id: "account",
            label: t("Account and security"),
            onAction: () => void navigate({ to: "/settings/account" })
          },
          { id: "sign-out", label: t("Sign out"), onAction: () => void leave() }
        ]
      ]}
    />
  )
}

/**
 * An address that is not verified, and an administrator who acts as somebody else; most visitors need none of it. Where it is
 * needed the page below waits for its code, so that it does not move down when it is there.
 */
const WithNotices = ({ children }: { readonly children: ReactNode }) => {
  const { data } = useQuery(sessionQuery)
  const isNeeded = data != null && (!data.user.emailVerified || data.session.impersonatedBy != null)
  return (
    <Suspense>
      {isNeeded && <Notices {...data} />}
      {children}
    </Suspense>
  )
}

const Content = ({ children }: { readonly children: ReactNode }) => (
  <Main
    id="main"
    tabIndex={-1}
    isLoading={useProjectData().state === "loading"}
    className="min-w-0 flex-1 px-4 py-5 outline-none max-md:pb-24 sm:px-6 md:px-8 md:py-6"
  >
    <div className="max-w-[80rem]">{children}</div>
  </Main>
)

/** Says so when the page is no longer up to date: over the page, which stays where it is, and pressed through. */
const ConnectionBar = () => {
  const { connection } = useProjectData()
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-0 z-40 flex justify-center px-3"
    >
      {connection === "lost" && <LostConnection />}
    </div>
  )
}

/** Opens the dialog that asks for the password when a request finds that the session has ended. */
const SessionWatch = () => {
  const [isEnded, setEnded] = useState(false)
  useEffect(() => onSessionEnd(() => setEnded(true)), [])
  useEffect(() => {
    let timer = setTimeout(function load() {
      // Without a connection it is tried again.
      loadEndedSession().catch(() => {
        timer = setTimeout(load, idle)
      })
    }, idle)
    return () => clearTimeout(timer)
  }, [])
  return isEnded ? (
    <Suspense>
      <EndedSession onSignedIn={() => setEnded(false)} />
    </Suspense>
  ) : null
}

/** The tooltip of bars. Rows show their bars without it, so that its code comes after them. */
const useBarTips = () =>
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    // Without a connection the bars stay as they are.
    import("../ui/bars.ts").then(
      ({ startBars }) => {
        if (!isOver) stop = startBars()
      },
      () => undefined
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [])

const Shell = () => {
  useBarTips()
  const { at } = useSearch({ from: "/shell" })
  // Before the pages below it are rendered, which may be of another time.
  lookAt(at)
  useEffect(() => () => lookAt(undefined), [])
  const project = useProject()
  const { data: projects, error } = useQuery(projectsQuery)
  const { dismiss, lost } = useLostProject(project)
  return (
    <>
      {project !== undefined && (
        <a
          href="#main"
          className="sr-only z-50 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
        >
          {t("Skip to content")}
        </a>
      )}
      <SessionWatch />
      {project === undefined ? (
        error === null ? (
          projects?.length === 0 && (
            <Suspense>
              <NoProject lost={lost} />
            </Suspense>
          )
        ) : (
          <Notice className="m-6">{error.message}</Notice>
        )
      ) : (
        <ProjectDataProvider key={`${project.id} ${at ?? ""}`} project={project} at={at}>
          <ConnectionBar />
          <GlobalKeys />
          <div className="flex w-full flex-col md:flex-row">
            <header className="flex items-center gap-1 border-line px-3 py-2 max-md:border-b md:sticky md:top-0 md:h-dvh md:w-56 md:shrink-0 md:flex-col md:items-stretch md:gap-4 md:border-e md:px-3 md:py-4">
              <div className="flex min-w-0 items-center gap-2 max-md:flex-1">
                <Link to="/" aria-label={t("Kanmon, home")} className="rounded-lg">
                  <Mark />
                </Link>
                <ProjectMenu project={project} />
              </div>
              <PaletteButton />
              <div className="max-md:hidden md:flex-1">
                <Navigation />
              </div>
              <AccountMenu />
            </header>
            <div className="flex min-w-0 flex-1 flex-col">
              <WithNotices>
                <Content>
                  {lost !== undefined && (
                    <div className="mb-4">
                      <LostProject lost={lost} onDismiss={dismiss} />
                    </div>
                  )}
                  {at !== undefined && (
                    <Suspense>
                      <PastBar at={at} />
                    </Suspense>
                  )}
                  <Outlet />
                </Content>
              </WithNotices>
            </div>
          </div>
          <TabBar />
        </ProjectDataProvider>
      )}
    </>
  )
}

export default Shell
