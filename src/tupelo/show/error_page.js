const boxes = [...document.querySelectorAll('input[name=error]')];
const update = () => {
  const wanted = boxes.filter(box => box.checked).map(box => box.value);
  for (const section of document.querySelectorAll('section[data-errors]')) {
    const found = section.dataset.errors.split('|');
    section.hidden = wanted.length > 0 && !wanted.some(name => found.includes(name));
  }
};
boxes.forEach(box => box.addEventListener('change', update));
