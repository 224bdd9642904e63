/** The web app as static files. */
export { DashboardSite } from "./DashboardSite.ts"
