/** Contents of organizations' projects, counted for limits and plans, and copied for their people. */
export * as OrganizationContents from "./OrganizationContentsRepository.ts"
