import { formatTimestamp } from '../arguments/dates.ts';
import { timeZoneOf } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';
import { table } from '../output/table.ts';

export const reminders = commands('reminders', 'Reminders about messages', {
  create: {
    args: ['message_id'],
    moment: 'scheduled_delivery_timestamp',
    flags: { scheduled_delivery_timestamp: '--at <time>' },
    async done({ session, options, parameters, answer: { reminder_id } }) {
      const { message_id, scheduled_delivery_timestamp: at } = parameters;
      const zone = typeof options.tz === 'string' ? options.tz : await timeZoneOf(session);
      return `Created reminder ${reminder_id} about message ${message_id} for ${formatTimestamp(at, zone)}.`;
    },
    examples: ['reminders create 7 --at \'monday 9:00\' --note "Answer this"', 'reminders create 7 --at +1h'],
  },
  list: {
    async done({ session, answer: { reminders: all }, terminal }) {
      if (all.length === 0) return '';
      const zone = await timeZoneOf(session);
      const rows = all.map((reminder) => [
        String(reminder.reminder_id),
        formatTimestamp(reminder.scheduled_delivery_timestamp, zone),
        String(reminder.reminder_target_message_id),
        oneLine(reminder.content),
      ]);
      return table(['ID', 'TIME', 'MESSAGE', 'TEXT'], rows, terminal);
    },
    empty: 'You have no reminders.',
  },
  delete: {
    args: ['reminder_id'],
    confirm: 'Delete this reminder?',
    done: ({ parameters: { reminder_id } }) => `Deleted reminder ${reminder_id}.`,
  },
});
