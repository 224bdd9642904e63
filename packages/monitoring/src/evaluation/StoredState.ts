/** The state of a monitor as the database stores it. */
import { compiled } from "@kanmon/domain/CompiledSchema"
import { MonitorState } from "@kanmon/domain/MonitorState"
import * as Persisted from "@kanmon/platform/database/Persisted"

export const storedState = Persisted.make(compiled(MonitorState))
