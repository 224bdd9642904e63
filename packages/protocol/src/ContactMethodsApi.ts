/** How a person wants to be reached: their contact methods. */
import { ContactMethodId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { TestResult } from "./ChannelsApi.ts"
import * as ContactMethodBody from "./ContactMethodBody.ts"
import { Deleted } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as ContactExamples from "./internal/ContactExamples.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { contactMethodId: ContactMethodId }

export class ContactMethodsApi extends HttpApiGroup.make("contactMethods")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(ContactMethodBody.ContactMethod) }).annotateMerge(
      operation({
        id: "listContactMethods",
        forImpersonators: false,
        summary: "List contact methods",
        description:
          "Lists how the person is reached when they are on call: the e-mail address of the account first, then the others in the order in which they were added. Secrets are masked.",
        response: [ContactExamples.account, ContactExamples.method]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<ContactMethodBody.ContactMethodRequest>("ContactMethodRequest"),
      success: ContactMethodBody.ContactMethod.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createContactMethod",
          summary: "Add a contact method",
          description:
            "Adds a contact method and sends a code to it; nothing else is sent there until the code is entered. The answer is the same whether or not the address or number is known to the installation. `lastDelivery` says why a code could not be sent. The account's e-mail address is told of the change.",
          request: ContactExamples.request,
          response: ContactExamples.method
        })
      ),
    HttpApiEndpoint.patch("update", "/:contactMethodId", {
      params,
      payload: Body.sent<ContactMethodBody.ContactMethodUpdate>("ContactMethodChange"),
      success: ContactMethodBody.ContactMethod,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateContactMethod",
          summary: "Update a contact method",
          description:
            "Changes the fields that are sent. A masked secret keeps its stored value. After any change of `type` or `config` the method has to be confirmed again with a new code, and the account's e-mail address is told. 409 for the e-mail address of the account.",
          request: { name: "My other phone" },
          response: { ...ContactExamples.method, name: "My other phone" }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:contactMethodId", {
      params,
      success: Deleted,
      error: refuses("not_found", "conflict")
    }).annotateMerge(
      operation({
        id: "deleteContactMethod",
        summary: "Delete a contact method",
        description:
          "Deletes the contact method and the messages that wait for it. The account's e-mail address is told. 409 for the e-mail address of the account, and while notification rules use the method.",
        response: Examples.deleted(ContactExamples.method.id)
      })
    ),
    HttpApiEndpoint.post("confirm", "/:contactMethodId/confirm", {
      params,
      payload: Body.sent<typeof ContactMethodBody.Code.Encoded>("ContactMethodConfirmation"),
      success: ContactMethodBody.ContactMethod,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "confirmContactMethod",
          summary: "Confirm a contact method",
          description:
            "Enters the code that was sent to the contact method. A code is valid for 24 hours and for five tries; 409 `conflict` when none is valid any more.",
          request: { code: "482915" },
          response: ContactExamples.confirmed
        })
      ),
    HttpApiEndpoint.post("sendConfirmation", "/:contactMethodId/confirmation", {
      params,
      success: ContactMethodBody.ContactMethod,
      error: refuses("not_found", "conflict", "rate_limited", "delivery_failed")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "sendContactMethodCode",
          summary: "Send a new code",
          description:
            "Sends a new code to a contact method that is not confirmed, in the place of the one before. Codes and tests together are limited to three a day for one address or number and to ten for the account.",
          response: ContactExamples.method
        })
      ),
    HttpApiEndpoint.post("test", "/:contactMethodId/test", {
      params,
      success: TestResult,
      error: refuses("not_found", "conflict", "rate_limited", "delivery_failed")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "testContactMethod",
          summary: "Test a contact method",
          description:
            "Sends a test to a confirmed contact method and returns the provider's answer. Codes and tests together are limited to three a day for one address or number and to ten for the account.",
          response: { delivered: true, detail: "HTTP 201", at: "2026-11-20T09:15:00.000Z" }
        })
      )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account/contact-methods")
  .annotateMerge(
    OpenApi.annotations({
      title: "Contact methods",
      description: "How a person is reached when they are on call."
    })
  ) {}
