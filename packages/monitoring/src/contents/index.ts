/** Contents: what the projects of organizations contain, counted for limits and plans, and copied for their people. */
export * as OrganizationContents from "./OrganizationContentsRepository.ts"
