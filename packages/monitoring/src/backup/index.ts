/** Export and import of a whole installation. */
export * as ExportFile from "./ExportFile.ts"
export * as Exporting from "./Exporting.ts"
export type { Exported } from "./Exporting.ts"
export * as Importing from "./Importing.ts"
export { connections } from "./RunningKanmon.ts"
