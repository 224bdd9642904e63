/**
 * JSON Schemas of the request bodies that handlers decode themselves. The bodies of monitors and channels depend on the
 * plugins. They are made on demand, because few servers are ever asked for them.
 */
import { Message } from "@kanmon/domain/Incident"
import { escalateFields, pageFields as pagingFields } from "./AlertEscalationBody.ts"
import { acknowledgementFields, silenceFields, snoozeFields } from "./AlertBody.ts"
import { ApiKeyRequest } from "./ApiKeysApi.ts"
import { CheckoutRequest } from "./BillingApi.ts"
import { Change, changesFields } from "./ChangesBody.ts"
import { CodeRequest, ConfirmationCode } from "./ChannelsApi.ts"
import { AwayPeriods } from "./CalendarBody.ts"
import { Code as ContactCode, contactMethodFields } from "./ContactMethodBody.ts"
import { drillFields } from "./DrillBody.ts"
import { policyFields } from "./EscalationPolicyBody.ts"
import { changeFields, incidentFields } from "./IncidentBody.ts"
import { integrationFields } from "./IntegrationBody.ts"
import { changeSchema, type Json, jsonSchema, object, requestSchema } from "./JsonSchema.ts"
import { batchFields, bulkChangeFields, operationFields, selectionFields } from "./MonitorBulkBody.ts"
import { InvitationRequest, MemberRequest, OrganizationRequest, TeamRequest } from "./OrganizationBody.ts"
import { NotificationRulesRequest } from "./NotificationRulesBody.ts"
import { planFields } from "./PlanBody.ts"
import { newProjectFields, projectChangeFields } from "./ProjectBody.ts"
import { pageTestFields } from "./PageTestBody.ts"
import { PersonalQuietHours } from "./QuietHoursBody.ts"
import { ruleFields } from "./RuleBody.ts"
import { pageFields } from "./StatusPageBody.ts"
import { overrideFields, scheduleFields } from "./ScheduleBody.ts"
import { ScimTokenRequest } from "./ScimTokensApi.ts"
import { SignOnDomainRequest, SignOnRequest } from "./SsoApi.ts"
import * as ContactExamples from "./internal/ContactExamples.ts"
import * as DrillExamples from "./internal/DrillExamples.ts"
import * as PolicyExamples from "./internal/EscalationPolicyExamples.ts"
import * as IntegrationExamples from "./internal/IntegrationExamples.ts"
import * as ScheduleExamples from "./internal/ScheduleExamples.ts"
import * as SignOnExamples from "./internal/SignOnExamples.ts"
import * as ChangeExamples from "./internal/ChangeExamples.ts"
import * as AlertExamples from "./internal/AlertExamples.ts"

/** Rows of monitors have no fields but their own. */
const closedRows = (schema: Json): Json => {
  const properties = object(schema["properties"])
  return { ...schema, properties: { ...properties, monitors: closedList(object(properties["monitors"])) } }
}

const closedList = (list: Json): Json =>
  Array.isArray(list["anyOf"])
    ? { ...list, anyOf: list["anyOf"].map((one) => closedList(object(one))) }
    : "items" in list
      ? { ...list, items: { ...object(list["items"]), additionalProperties: false } }
      : list

/** The plugins define the items. */
const batchOfRequests = (schema: Json): Json => {
  const properties = object(schema["properties"])
  const monitors = { ...object(properties["monitors"]), items: { $ref: "#/components/schemas/MonitorRequest" } }
  return { ...schema, properties: { ...properties, monitors } }
}

/** Each change has the body of the operation for a single record. */
const changesOf = (schema: Json): Json => {
  const properties = object(schema["properties"])
  return {
    ...schema,
    properties: { ...properties, changes: { ...object(properties["changes"]), items: jsonSchema(Change) } }
  }
}

/** An integration, as files have it as well. */
export const integrationRequest = (): Json =>
  requestSchema(integrationFields, { examples: [IntegrationExamples.integrationRequest] })

export const ruleRequest = (): Json =>
  requestSchema(ruleFields, {
    defaults: { trigger: "monitor_down" },
    examples: [{ name: "Down", monitorIds: [], channelIds: [], trigger: "monitor_down", consecutiveFailures: 2 }]
  })

export const scheduleRequest = (): Json => requestSchema(scheduleFields, { examples: [ScheduleExamples.request] })

export const policyRequest = (): Json => requestSchema(policyFields, { examples: [PolicyExamples.request] })

export const pageRequest = (): Json =>
  closedRows(requestSchema(pageFields, { examples: [{ name: "Acme", slug: "acme", monitorIds: [] }] }))

export const incidentRequest = (): Json =>
  requestSchema(
    { ...incidentFields, message: Message.annotate({ description: "Text of the first timeline entry" }) },
    {
      examples: [
        { title: "Checkout is slow", status: "investigating", message: "We are looking into it.", monitorIds: [] },
        {
          title: "Database upgrade",
          message: "Orders can be read but not placed.",
          monitorIds: [],
          maintenance: true,
          scheduledStart: "2026-11-22T02:00:00.000Z",
          scheduledEnd: "2026-11-22T03:00:00.000Z",
          recurrence: "FREQ=MONTHLY;BYDAY=4SU",
          timezone: "Europe/Berlin"
        }
      ]
    }
  )

/** The schemas by the names that the payloads of endpoints have. */
export const requestSchemas = (): Readonly<Record<string, Json>> => ({
  ProjectChange: requestSchema(projectChangeFields, { examples: [{ name: "Web shop", timezone: "Europe/Berlin" }] }),
  NewProjectRequest: requestSchema(newProjectFields, { examples: [{ name: "Shop" }] }),
  SignOnRequest: {
    anyOf: SignOnRequest.members.map(({ fields }) => requestSchema(fields)),
    examples: [SignOnExamples.connection]
  },
  SignOnDomainRequest: requestSchema(SignOnDomainRequest.fields, { examples: [{ domain: "example.com" }] }),
  OrganizationRequest: requestSchema(OrganizationRequest.fields, { examples: [{ name: "Acme" }] }),
  MemberRequest: requestSchema(MemberRequest.fields, { examples: [{ role: "editor" }] }),
  TeamRequest: requestSchema(TeamRequest.fields, { examples: [{ name: "On call" }] }),
  InvitationRequest: requestSchema(InvitationRequest.fields, {
    examples: [{ email: "grace@example.org", role: "editor" }]
  }),
  ApiKeyRequest: requestSchema(ApiKeyRequest.fields, { examples: [{ name: "Deploy", role: "editor" }] }),
  ScimTokenRequest: requestSchema(ScimTokenRequest.fields, { examples: [{ name: "Okta" }] }),
  ConfirmationCodeRequest: requestSchema(CodeRequest.fields, { examples: [{ recipient: "ada@example.org" }] }),
  ConfirmationRequest: requestSchema(ConfirmationCode.fields, { examples: [{ code: "482915" }] }),
  MonitorBatch: batchOfRequests(
    requestSchema(batchFields, {
      examples: [
        {
          monitors: [
            { name: "Shop", type: "http", url: "https://shop.example" },
            { name: "Mail", type: "tcp", host: "mail.shop.example", port: 25 }
          ]
        }
      ]
    })
  ),
  MonitorSelection: requestSchema(selectionFields, {
    description: "Either `ids` or `filter`",
    examples: [{ ids: ["mon_01m7xs8mrbmd3ef5jxd1fat24r"] }]
  }),
  MonitorBulkChange: requestSchema(bulkChangeFields, {
    description: "Either `ids` or `filter`, and at least one of `set`, `addTags` and `removeTags`",
    examples: [{ filter: { group: "Shop" }, set: { interval: 30 }, addTags: ["prod"] }]
  }),
  OperationRequest: requestSchema(operationFields, {
    description: "Either `ids` or `filter`; an `update` has at least one of `set`, `addTags` and `removeTags`",
    examples: [{ action: "update", filter: { group: "Shop" }, set: { paused: true } }]
  }),
  AlertRuleRequest: ruleRequest(),
  IntegrationRequest: integrationRequest(),
  IntegrationChange: changeSchema(integrationFields, { examples: [{ quietAfterMinutes: 30 }] }),
  DrillRequest: requestSchema(drillFields, { examples: [DrillExamples.drillRequest] }),
  AlertRuleChange: changeSchema(ruleFields, { examples: [{ consecutiveFailures: 3 }] }),
  AcknowledgementRequest: requestSchema(acknowledgementFields, { examples: [AlertExamples.acknowledgement] }),
  EscalateRequest: requestSchema(escalateFields, { examples: [AlertExamples.escalateRequest] }),
  PageRequest: requestSchema(pagingFields, { examples: [AlertExamples.pageRequest] }),
  SnoozeRequest: requestSchema(snoozeFields, { examples: [AlertExamples.snooze] }),
  SilenceRequest: requestSchema(silenceFields, { examples: [AlertExamples.silenceRequest] }),
  IncidentRequest: incidentRequest(),
  IncidentChange: changeSchema(changeFields, {
    examples: [{ status: "resolved", message: "A fix has been rolled out." }]
  }),
  AwayRequest: jsonSchema(AwayPeriods),
  NotificationRulesRequest: requestSchema(NotificationRulesRequest.fields, {
    examples: [ContactExamples.rulesRequest]
  }),
  QuietHoursRequest: requestSchema(PersonalQuietHours.fields, { examples: [ContactExamples.quietHours] }),
  PageTestRequest: requestSchema(pageTestFields, { examples: [ContactExamples.pageTestRequest] }),
  ContactMethodRequest: requestSchema(contactMethodFields, { examples: [ContactExamples.request] }),
  ContactMethodChange: changeSchema(contactMethodFields, {
    description: "Any of the fields. Fields that `config` leaves out stay as they are; null removes one"
  }),
  ContactMethodConfirmation: requestSchema(ContactCode.fields, { examples: [{ code: "482915" }] }),
  ScheduleRequest: scheduleRequest(),
  ScheduleChange: changeSchema(scheduleFields, {
    description: "Any of the fields. `layers` replaces all of them; a layer without `startsOn` goes on",
    examples: [ScheduleExamples.change]
  }),
  OverrideRequest: requestSchema(overrideFields, { examples: [ScheduleExamples.overrideRequest] }),
  EscalationPolicyRequest: policyRequest(),
  EscalationPolicyChange: changeSchema(policyFields, {
    description: "Any of the fields; null puts one back to its default. `steps` replaces all of them",
    examples: [PolicyExamples.change]
  }),
  StatusPageRequest: pageRequest(),
  StatusPageChange: closedRows(
    changeSchema(pageFields, {
      description:
        "Any of the fields; null puts one back to its default. Either of `monitorIds` and `monitors` replaces all that were shown",
      examples: [{ customDomain: "status.acme.example" }]
    })
  ),
  PlanRequest: requestSchema(planFields, {
    examples: [{ name: "Studio", monitors: 200, checkInterval: 30, regions: 3, price: 19.9 }]
  }),
  PlanChange: changeSchema(planFields, { examples: [{ price: 24.9 }] }),
  ChangesRequest: changesOf(requestSchema(changesFields, { examples: [ChangeExamples.changes] })),
  CheckoutRequest: requestSchema(CheckoutRequest.fields, { examples: [{ planId: "plan_pro" }] })
})
