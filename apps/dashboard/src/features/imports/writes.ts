/** Reads the file of another tool into the plan of an import, and creates what it plans. */
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { apply, type Edits, type Outcome, type Outcomes, type Plan } from "./steps.ts"

export const usePlanImport = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (file: File) => request("POST /imports/uptime-kuma", { project: project.headers, file })
  })
}

interface Applied {
  readonly plan: Plan
  readonly done: Outcomes
  readonly edits: Edits
  readonly onOutcome: (ref: string, outcome: Outcome) => void
}

export const useApplyImport = () => {
  const { project, reload } = useProjectData()
  return useWrite({
    send: ({ done, edits, onOutcome, plan }: Applied) =>
      // What was created before a failure is there too.
      apply(plan, done, edits, project.headers, onOutcome).finally(reload)
  })
}
