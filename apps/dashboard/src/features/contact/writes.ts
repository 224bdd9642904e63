/** Operations on contact methods and notification rules. Methods decide whether rules reach the person, so both are stale. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { keepDelivery, useWrite } from "../../api/write.ts"
import { methodsQuery, pageTestsQuery, quietHoursQuery } from "./queries.ts"

const stale = [["contact"]]

export const useCreateMethod = () =>
  useWrite({
    send: (body: Parts<"POST /account/contact-methods">["body"]) => request("POST /account/contact-methods", { body }),
    stale
  })

export const useUpdateMethod = () =>
  useWrite({
    send: ({
      body,
      contactMethodId
    }: {
      readonly contactMethodId: string
      readonly body: Parts<"PATCH /account/contact-methods/:contactMethodId">["body"]
    }) => request("PATCH /account/contact-methods/:contactMethodId", { params: { contactMethodId }, body }),
    stale
  })

export const useDeleteMethod = () =>
  useWrite({
    send: (contactMethodId: string) =>
      request("DELETE /account/contact-methods/:contactMethodId", { params: { contactMethodId } }),
    stale
  })

export const useTestMethod = () =>
  useWrite({
    send: (contactMethodId: string) =>
      request("POST /account/contact-methods/:contactMethodId/test", { params: { contactMethodId } }),
    learn: (client, tested, contactMethodId) => keepDelivery(client, methodsQuery.queryKey, contactMethodId, tested),
    stale
  })

export const useConfirmMethod = (contactMethodId: string) =>
  useWrite({
    send: (code: string) =>
      request("POST /account/contact-methods/:contactMethodId/confirm", {
        params: { contactMethodId },
        body: { code }
      }),
    stale
  })

export const useSendMethodCode = (contactMethodId: string) =>
  useWrite({
    send: () => request("POST /account/contact-methods/:contactMethodId/confirmation", { params: { contactMethodId } }),
    stale
  })

export const useReplaceNotificationRules = () =>
  useWrite({
    send: (body: Parts<"PUT /account/notification-rules">["body"]) =>
      request("PUT /account/notification-rules", { body }),
    stale
  })

export const useReplaceQuietHours = () =>
  useWrite({
    send: (body: Parts<"PUT /account/quiet-hours">["body"]) => request("PUT /account/quiet-hours", { body }),
    stale: [quietHoursQuery.queryKey]
  })

export const useStartPageTest = () =>
  useWrite({
    send: () => request("POST /account/page-tests", { body: { severity: "critical" } }),
    stale: [pageTestsQuery.queryKey]
  })

export const useAcknowledgePageTest = () =>
  useWrite({
    send: (pageTestId: string) =>
      request("POST /account/page-tests/:pageTestId/acknowledge", { params: { pageTestId } }),
    stale: [pageTestsQuery.queryKey]
  })
