import { commandsByThemselves } from '../operations/metadata.ts';
import { details } from '../output/details.ts';

const account = { parameter: 'username', label: 'EMAIL' } as const;

export const byThemselves = commandsByThemselves({
  register: {
    // A list in it is not all there is to know: without its id a queue is of no use.
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
