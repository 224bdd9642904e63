/** Reads the file of another tool into the plan of an import. */
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"

export const usePlanImport = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (file: Blob) => request("POST /imports/uptime-kuma", { project: project.headers, file })
  })
}
