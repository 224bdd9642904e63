/** The state of a monitor as the database stores it. */
import { MonitorState } from "@kanmon/domain/MonitorState"
import * as Persisted from "../platform/database/Persisted.ts"

export const storedState = Persisted.make(MonitorState)
