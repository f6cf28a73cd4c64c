import type * as v from 'valibot';
import {
  slackReply,
  slackRequest,
  zulipReply,
  zulipRequest,
} from '../domains/messages/outgoing-webhooks/webhook-calls.ts';
import { jsonSchema } from './json-schema.ts';

const JSON_TYPE = 'application/json';

/** OpenAPI descriptions of outgoing webhooks, by interface of the bot. */
export const WEBHOOKS = {
  zulip: describeCall('Zulip', 1, JSON_TYPE, zulipRequest, zulipReply),
  slack: describeCall(
    'Slack, which knows channels alone',
    2,
    'application/x-www-form-urlencoded',
    slackRequest,
    slackReply,
  ),
};

function describeCall(
  form: string,
  interfaceType: number,
  type: string,
  request: v.GenericSchema,
  reply: v.GenericSchema,
): object {
  return {
    post: {
      summary: `A message for a bot, in the form of ${form}`,
      description: `Posted to the \`payload_url\` of a bot with \`bot_type\` 3 and \`interface_type\` ${interfaceType}, when a message mentions it by name or is sent to it directly. After no response within ten seconds, 5xx or 429, the call is retried for ten minutes.`,
      security: [],
      requestBody: { required: true, content: { [type]: { schema: jsonSchema(request) } } },
      responses: {
        200: {
          description: 'What the bot says, 256 KiB at most; an empty body: nothing.',
          content: { [JSON_TYPE]: { schema: jsonSchema(reply) } },
        },
      },
    },
  };
}
