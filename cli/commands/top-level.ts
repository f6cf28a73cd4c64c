import { commandsByThemselves } from '../operations/metadata.ts';
import { details } from '../output/table.ts';

const account = { parameter: 'username', label: 'EMAIL' } as const;

export const topLevelCommands = commandsByThemselves({
  register: {
    // A response with one list prints as a table by default, but the queue ID is needed too.
    done: ({ answer, terminal }) => details(answer as object as Record<string, unknown>, terminal),
    examples: ["register --event-types message --fetch-event-types '[]'"],
  },
  fetchApiKey: {
    args: [account],
    done: ({ answer }) => answer.api_key,
    examples: ['fetch-api-key ada@example.com --password-stdin < password.txt'],
  },
  devFetchApiKey: {
    args: [account],
    done: ({ answer }) => answer.api_key,
    examples: ['dev-fetch-api-key ada@example.com'],
  },
});
