/** A window for support at the foot of whatever page loads this, by the login that the browser has. */
import { connect, isChatError } from 'parlance/remote';

const session = connect({ site: '/chat' });
const topic = 'support';

const box = document.createElement('details');
box.style =
  'position: fixed; right: 1rem; bottom: 1rem; width: min(20rem, calc(100% - 2rem)); padding: .5rem 1rem; border: 1px solid; border-radius: .5rem; background: Canvas';
box.innerHTML = `<summary>Write to us</summary>
<ol aria-live="polite" style="list-style: none; padding: 0; max-height: 50vh; overflow: auto"></ol>
<p role="alert"></p>
<form><label>Message <input name="content" required maxlength="10000" autocomplete="off"></label> <button>Send</button></form>`;
const [list, trouble, form] = ['ol', 'p', 'form'].map((name) => box.querySelector(name));

/** What people write is shown as text, never as HTML. */
function show({ id, sender_full_name, content }) {
  // What was sent while the list was fetched comes twice.
  if (list.querySelector(`[data-id="${id}"]`)) return;
  const line = document.createElement('li');
  line.dataset.id = id;
  line.textContent = `${sender_full_name}: ${content}`;
  list.append(line);
  line.scrollIntoView({ block: 'nearest' });
}

/** Shows what was written, and what is written from then on. The channel is the only one that a customer has. */
async function follow() {
  const { queue_id, last_event_id, subscriptions } = await session.register({
    event_types: ['message'],
    fetch_event_types: ['subscription'],
  });
  const { stream_id } = subscriptions[0];
  const narrow = [{ operator: 'channel', operand: stream_id }];
  const { messages } = await session.messages.list({ anchor: 'newest', num_before: 50, narrow, apply_markdown: false });
  for (const message of messages) show(message);
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await session.messages.send({ type: 'channel', to: stream_id, topic, content: form.content.value });
      form.reset();
      trouble.textContent = '';
    } catch (error) {
      trouble.textContent = error.message;
    }
  };
  const queue = { queue_id, last_event_id };
  for await (const { message } of session.listen({ queue, event_types: ['message'] })) show(message);
}

try {
  await session.users.me();
  document.body.append(box);
  for (;;) {
    try {
      await follow();
    } catch (error) {
      // The page was asleep for long: fetch afresh. All else is told.
      if (!isChatError(error, 'BAD_EVENT_QUEUE_ID')) throw error;
    }
  }
} catch (error) {
  // Nobody is logged in: there is no window.
  if (!isChatError(error, 'UNAUTHORIZED')) trouble.textContent = error.message;
}
