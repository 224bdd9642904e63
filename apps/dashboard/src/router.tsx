/** The routes of people who are signed in, and all of them together. Each page is a chunk of its own, loaded when it is opened. */
import type { QueryClient } from "@tanstack/react-query"
import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { rootPath } from "./browser/place.ts"
import { forgotPassword, invitation, resetPassword, root, signIn, signUp, wall } from "./entrance.tsx"
import { parseAlertSearch } from "./features/alerts/alertSearch.ts"
import { parseAuditSearch } from "./features/audit/auditSearch.ts"
import { parseIncidentSearch } from "./features/incidents/incidentSearch.ts"
import { parseMonitorSearch } from "./features/monitor/views.ts"
import { parseListSearch } from "./features/monitors/listSearch.ts"
import { parseFiguresSearch } from "./features/on-call/figuresSearch.ts"
import { parseScheduleSearch } from "./features/on-call/scheduleSearch.ts"
import { NotFound, PageError } from "./routes/Failures.tsx"
import { device, shell } from "./shell.tsx"

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/Now.tsx"))
})

const alerts = createRoute({
  getParentRoute: () => shell,
  path: "/alerts",
  validateSearch: parseAlertSearch,
  component: lazyRouteComponent(() => import("./routes/Alerts.tsx"))
})

const alert = createRoute({
  getParentRoute: () => shell,
  path: "/alerts/$id",
  component: lazyRouteComponent(() => import("./routes/Alert.tsx"))
})

const silences = createRoute({
  getParentRoute: () => shell,
  path: "/silences",
  component: lazyRouteComponent(() => import("./routes/Silences.tsx"))
})

const incidents = createRoute({
  getParentRoute: () => shell,
  path: "/incidents",
  validateSearch: parseIncidentSearch,
  component: lazyRouteComponent(() => import("./routes/Incidents.tsx"))
})

const newIncident = createRoute({
  getParentRoute: () => shell,
  path: "/incidents/new",
  validateSearch: ({ type }: Record<string, unknown>): { readonly type?: string } =>
    type === "maintenance" ? { type } : {},
  component: lazyRouteComponent(() => import("./routes/IncidentEdit.tsx"))
})

const incident = createRoute({
  getParentRoute: () => shell,
  path: "/incidents/$id",
  component: lazyRouteComponent(() => import("./routes/Incident.tsx"))
})

const editIncident = createRoute({
  getParentRoute: () => shell,
  path: "/incidents/$id/edit",
  component: lazyRouteComponent(() => import("./routes/IncidentEdit.tsx"))
})

const monitors = createRoute({
  getParentRoute: () => shell,
  path: "/monitors",
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import("./routes/Monitors.tsx"))
})

const monitor = createRoute({
  getParentRoute: () => shell,
  path: "/monitors/$id",
  validateSearch: parseMonitorSearch,
  component: lazyRouteComponent(() => import("./routes/Monitor.tsx"))
})

const create = createRoute({
  getParentRoute: () => shell,
  path: "/monitors/new",
  // The monitor that the new one begins as a copy of.
  validateSearch: ({ clone }: Record<string, unknown>): { readonly clone?: string | undefined } =>
    typeof clone === "string" ? { clone } : {},
  component: lazyRouteComponent(() => import("./routes/Edit.tsx"))
})

const importing = createRoute({
  getParentRoute: () => shell,
  path: "/import",
  component: lazyRouteComponent(() => import("./routes/Import.tsx"))
})

const edit = createRoute({
  getParentRoute: () => shell,
  path: "/monitors/$id/edit",
  component: lazyRouteComponent(() => import("./routes/Edit.tsx"))
})

const welcome = createRoute({
  getParentRoute: () => shell,
  path: "/welcome",
  // The monitor that was made: the last step.
  validateSearch: ({ monitor }: Record<string, unknown>): { readonly monitor?: string | undefined } =>
    typeof monitor === "string" ? { monitor } : {},
  component: lazyRouteComponent(() => import("./routes/Welcome.tsx"))
})

const statusPages = createRoute({
  getParentRoute: () => shell,
  path: "/status-pages",
  component: lazyRouteComponent(() => import("./routes/StatusPages.tsx"))
})

const newStatusPage = createRoute({
  getParentRoute: () => shell,
  path: "/status-pages/new",
  component: lazyRouteComponent(() => import("./routes/StatusPageEdit.tsx"))
})

const editStatusPage = createRoute({
  getParentRoute: () => shell,
  path: "/status-pages/$id",
  component: lazyRouteComponent(() => import("./routes/StatusPageEdit.tsx"))
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  component: lazyRouteComponent(() => import("./routes/SettingsFrame.tsx"))
})

const projectSettings = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/Settings.tsx"))
})

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "/audit",
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import("./routes/AuditLog.tsx"))
})

const billing = createRoute({
  getParentRoute: () => settings,
  path: "/billing",
  component: lazyRouteComponent(() => import("./routes/Billing.tsx"))
})

const account = createRoute({
  getParentRoute: () => settings,
  path: "/account",
  component: lazyRouteComponent(() => import("./routes/Account.tsx"))
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: "/notifications",
  component: lazyRouteComponent(() => import("./routes/Notifications.tsx"))
})

const organization = createRoute({
  getParentRoute: () => settings,
  path: "/organization",
  component: lazyRouteComponent(() => import("./routes/Organization.tsx"))
})

const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  component: lazyRouteComponent(() => import("./routes/Members.tsx"))
})

const signOn = createRoute({
  getParentRoute: () => settings,
  path: "/sign-on",
  component: lazyRouteComponent(() => import("./routes/SignOn.tsx"))
})

const installation = createRoute({
  getParentRoute: () => settings,
  path: "/installation",
  component: lazyRouteComponent(() => import("./routes/Installation.tsx"))
})

const drills = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/drills",
  component: lazyRouteComponent(() => import("./routes/Drills.tsx"))
})

const drill = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/drills/$id",
  component: lazyRouteComponent(() => import("./routes/Drill.tsx"))
})

const integrations = createRoute({
  getParentRoute: () => shell,
  path: "/integrations",
  component: lazyRouteComponent(() => import("./routes/Integrations.tsx"))
})

const channels = createRoute({
  getParentRoute: () => shell,
  path: "/channels",
  component: lazyRouteComponent(() => import("./routes/Channels.tsx"))
})

const newChannel = createRoute({
  getParentRoute: () => shell,
  path: "/channels/new",
  validateSearch: ({ type }: Record<string, unknown>): { readonly type?: string } =>
    typeof type === "string" ? { type } : {},
  component: lazyRouteComponent(() => import("./routes/ChannelEdit.tsx"))
})

const editChannel = createRoute({
  getParentRoute: () => shell,
  path: "/channels/$id",
  component: lazyRouteComponent(() => import("./routes/ChannelEdit.tsx"))
})

const onCall = createRoute({
  getParentRoute: () => shell,
  path: "/on-call",
  component: lazyRouteComponent(() => import("./routes/OnCall.tsx"))
})

const onCallFigures = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/figures",
  validateSearch: parseFiguresSearch,
  component: lazyRouteComponent(() => import("./routes/OnCallFigures.tsx"))
})

const newSchedule = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/schedules/new",
  component: lazyRouteComponent(() => import("./routes/OnCallScheduleEdit.tsx"))
})

const schedule = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/schedules/$id",
  validateSearch: parseScheduleSearch,
  component: lazyRouteComponent(() => import("./routes/OnCallSchedule.tsx"))
})

const editSchedule = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/schedules/$id/edit",
  component: lazyRouteComponent(() => import("./routes/OnCallScheduleEdit.tsx"))
})

const newPolicy = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/policies/new",
  component: lazyRouteComponent(() => import("./routes/OnCallPolicyEdit.tsx"))
})

const policy = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/policies/$id",
  component: lazyRouteComponent(() => import("./routes/OnCallPolicy.tsx"))
})

const editPolicy = createRoute({
  getParentRoute: () => shell,
  path: "/on-call/policies/$id/edit",
  component: lazyRouteComponent(() => import("./routes/OnCallPolicyEdit.tsx"))
})

const newRule = createRoute({
  getParentRoute: () => shell,
  path: "/rules/new",
  component: lazyRouteComponent(() => import("./routes/RuleEdit.tsx"))
})

const editRule = createRoute({
  getParentRoute: () => shell,
  path: "/rules/$id",
  component: lazyRouteComponent(() => import("./routes/RuleEdit.tsx"))
})

/** Addresses that lead nowhere keep the frame, and with it the way on. */
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: "$",
  component: NotFound
})

const controls = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: "/dev/ui",
        component: lazyRouteComponent(() => import("./routes/Controls.tsx"))
      })
    ]
  : []

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([
      signIn,
      signUp,
      forgotPassword,
      resetPassword,
      invitation,
      device,
      wall,
      shell.addChildren([
        home,
        alerts,
        alert,
        silences,
        incidents,
        newIncident,
        incident,
        editIncident,
        monitors,
        create,
        monitor,
        edit,
        importing,
        settings.addChildren([
          projectSettings,
          account,
          notifications,
          organization,
          members,
          signOn,
          auditLog,
          billing,
          installation
        ]),
        welcome,
        statusPages,
        newStatusPage,
        editStatusPage,
        integrations,
        drills,
        drill,
        channels,
        newChannel,
        editChannel,
        onCall,
        onCallFigures,
        newSchedule,
        schedule,
        editSchedule,
        newPolicy,
        policy,
        editPolicy,
        newRule,
        editRule,
        nowhere
      ]),
      ...controls
    ]),
    context: { client },
    basepath: rootPath || "/",
    defaultPreload: "intent",
    defaultPendingMs: 300,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true
  })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
