const list = document.getElementById('cliques');
const sections = [...list.children];
const order = document.getElementById('order'), words = document.getElementById('words');
const update = () => {
  const key = order.value, sign = key === 'worst' ? 1 : -1;
  sections.sort((a, b) => sign * (a.dataset[key] - b.dataset[key]) || a.dataset.number - b.dataset.number);
  const wanted = words.value.toLowerCase();
  for (const section of sections) {
    section.hidden = wanted !== '' && !section.textContent.toLowerCase().includes(wanted);
    list.append(section);
  }
};
order.addEventListener('change', update);
words.addEventListener('input', update);
