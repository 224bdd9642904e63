/** JSON that earlier releases stored: every sample in `fixtures/persisted` stays readable. */
import * as path from "node:path"
import { shapeOf, suite } from "../../../tests/support/PersistedSamples.ts"
import { storedNotice } from "../src/delivery/Message.ts"
import { storedAttempt, storedProgress } from "../src/delivery/DeliveryRecords.ts"
import { storedLastDelivery, storedRecipients } from "../src/channels/ChannelRecords.ts"
import { storedCapture } from "../src/evaluation/StoredCapture.ts"
import { storedState } from "../src/evaluation/StoredState.ts"
import { storedReason, storedState as storedEscalation } from "../src/escalation/EscalationRecords.ts"
import { storedPlan } from "../src/escalation/PolicyRecords.ts"
import { storedHeartbeat } from "../src/heartbeats/HeartbeatRepository.ts"
import { storedCoverage, storedLayers } from "../src/on-call/ScheduleRecords.ts"

suite(path.join(import.meta.dirname, "fixtures/persisted"), {
  capture: shapeOf(storedCapture),
  "delivery-attempt": shapeOf(storedAttempt),
  "channel-recipients": shapeOf(storedRecipients),
  "delivery-progress": shapeOf(storedProgress),
  "escalation-plan": shapeOf(storedPlan),
  "escalation-state": shapeOf(storedEscalation),
  "heartbeat-state": shapeOf(storedHeartbeat),
  "last-delivery": shapeOf(storedLastDelivery),
  "monitor-state": shapeOf(storedState),
  notice: shapeOf(storedNotice),
  "page-reason": shapeOf(storedReason),
  "schedule-coverage": shapeOf(storedCoverage),
  "schedule-layers": shapeOf(storedLayers)
})
