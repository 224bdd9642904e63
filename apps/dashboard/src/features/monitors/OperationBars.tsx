/** Long work on many monitors: how far it is, a way to stop it, and how it ended. Loaded when the page is idle. */
import { useQuery } from "@tanstack/react-query"
import { createPortal } from "react-dom"
import { useMay } from "../../api/permissions.ts"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"
import { useNow } from "../../browser/now.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { edge } from "../../ui/edge.ts"
import { Shape } from "../../ui/Status.tsx"
import { operationWords } from "./operations.ts"
import { isTexts, useStored } from "./preferences.ts"
import { type OperationRecord, shownOperations } from "./shownOperations.ts"
import { stopOperation } from "./writes.ts"

const listed = 10

const useOperations = () => {
  const { project } = useProjectData()
  const { headers, id } = project
  useRefresh(["operations", id], ({ type }) => type.startsWith("kanmon.operation."))
  return useQuery({
    queryKey: ["operations", id],
    queryFn: ({ signal }) => request("GET /operations", { query: { limit: listed }, project: headers, signal }),
    // While the event stream is away, it still moves.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "running") === true ? 5000 : false)
  })
}

const Bar = ({ onClose, operation }: { readonly operation: OperationRecord; readonly onClose: () => void }) => {
  const mayWrite = useMay("monitors.write")
  const { done, failed, failures, id, status, total } = operation
  const { project } = useProjectData()
  // An event tells that it has stopped.
  const { error, isPending, isSuccess, mutate: stop } = useWrite({ send: () => stopOperation(project, id) })
  const isRunning = status === "running"
  return (
    <section
      aria-label={t("Work on many monitors")}
      className="pointer-events-auto flex w-full max-w-xl flex-col gap-2 rounded-xl border border-line bg-surface p-3 text-sm shadow-[0_8px_30px_rgb(0_0_0/.22)]"
    >
      <div className="flex items-start gap-3">
        {!isRunning && (
          <Shape tone={failed > 0 ? "degraded" : status === "stopped" ? "quiet" : "up"} className="mt-2" />
        )}
        <p role="status" className="min-w-0 flex-1 py-1.5 tabular-nums">
          {operationWords(operation)}
        </p>
        {isRunning ? (
          mayWrite && (
            <Button kind="quiet" isDisabled={isPending || isSuccess} onPress={() => stop()}>
              {t("Stop")}
            </Button>
          )
        ) : (
          <Button kind="quiet" onPress={onClose}>
            {t("Close")}
          </Button>
        )}
      </div>
      {isRunning && (
        <div
          role="progressbar"
          aria-label={t("Progress")}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done + failed}
          className="h-1.5 w-full overflow-hidden rounded-full bg-ink/10"
        >
          <div
            className="h-full rounded-full bg-accent"
            style={{ width: `${(100 * (done + failed)) / Math.max(1, total)}%` }}
          />
        </div>
      )}
      {error !== null && <p className="text-down">{reasonOf(error)}</p>}
      {!isRunning && failures.length > 0 && (
        <details className="text-small">
          <summary className="min-h-9 w-fit cursor-pointer content-center pointer-coarse:min-h-11">
            {t("What was refused")}
          </summary>
          <ul className="max-h-48 overflow-auto">
            {failures.map(({ message, monitorId, name }) => (
              <li key={monitorId}>
                <bdi className="font-medium">{name === "" ? monitorId : name}</bdi>: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const OperationBars = () => {
  const { data = [] } = useOperations()
  const now = useNow()
  const [closed, setClosed] = useStored("kanmon.operations.closed", [], isTexts)
  const shown = shownOperations(data, closed, now)
  if (shown.length === 0) return null
  return createPortal(
    shown.map((operation) => (
      <Bar
        key={operation.id}
        operation={operation}
        onClose={() => setClosed([...closed.slice(-listed), operation.id])}
      />
    )),
    edge("bottom")
  )
}

export default OperationBars
