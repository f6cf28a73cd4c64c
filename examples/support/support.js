/** Shows the number of unread messages beside "Write to us". The panel does the rest. */
document.addEventListener('parlance-unread', ({ detail }) => {
  document.querySelector('.support b').textContent = detail.total || '';
});
