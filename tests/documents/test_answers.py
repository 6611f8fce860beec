from pathlib import Path

from service.http.documentation.openapi import answers as shown
from tests.documents.answers import alike, answers
from tests.service_process import ServiceProcess


def test_the_answers_shown_are_what_a_new_service_answers(tmp_path: Path) -> None:
    with ServiceProcess.running(tmp_path / "log") as service:
        told = answers(service)
    # Written anew by `.venv/bin/python -m tests.documents.answers`.
    assert alike(told) == alike(shown())


def test_only_what_differs_each_time_is_not_compared() -> None:
    told = {"showGame": {"200": {"id": "6f1c2b1e-5d0a-4c58-9f0e-3f6a1c2d4b5e", "version": 3}}}
    assert alike(told) == {"showGame": '{"200": {"id": "id", "version": 3}}'}
